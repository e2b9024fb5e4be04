package io.microbatch.connect.it.guarded;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import org.apache.kafka.connect.rest.ConnectRestExtension;
import org.apache.kafka.connect.rest.ConnectRestExtensionContext;

/** Requires a header {@code Authorization} of every request to a worker, as an operator's own extension does. */
public final class GuardExtension implements ConnectRestExtension, ContainerRequestFilter {

    /** The worker's property with the header. */
    public static final String EXPECTED = "guard.authorization";

    private String expected;

    /** Called by reflection. */
    public GuardExtension() {}

    @Override
    public void configure(Map<String, ?> properties) {
        expected = (String) properties.get(EXPECTED);
    }

    @Override
    public void register(ConnectRestExtensionContext context) {
        context.configurable().register(this);
    }

    @Override
    public void filter(ContainerRequestContext request) {
        if (!expected.equals(request.getHeaderString("Authorization"))) {
            request.abortWith(Response.status(Response.Status.UNAUTHORIZED)
                    .entity("User cannot access the resource.")
                    .build());
        }
    }

    @Override
    public String version() {
        return "1";
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
