package io.microbatch.connect.stripe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Finds the VarHandle of a field of the calling class. */
final class RingAccess {
    private RingAccess() {}

    static VarHandle field(MethodHandles.Lookup lookup, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(lookup.lookupClass(), name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
