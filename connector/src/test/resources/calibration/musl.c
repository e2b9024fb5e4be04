/*
 * Loads the database library of the archive with the C library that this program is linked with, resolves the methods
 * of the driver, and prints the version of SQLite that one of them returns.
 *
 * Arguments: the library, the functions that it has to export.
 */
#include <dlfcn.h>
#include <jni.h>
#include <stdio.h>

#define VERSION "Java_org_sqlite_core_NativeDB_libversion_1utf8"

typedef jobject(JNICALL *Method)(JNIEnv *, jobject);

static jobject JNICALL print(JNIEnv *environment, void *text, jlong length) {
    printf("SQLite %.*s\n", (int)length, (char *)text);
    /* The method takes NULL for a lack of memory. */
    return text;
}

int main(int count, char **arguments) {
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (library == NULL) {
        puts(dlerror());
        return 1;
    }
    for (int i = 2; i < count; i++) {
        if (dlsym(library, arguments[i]) == NULL) {
            printf("the library lacks %s\n", arguments[i]);
            return 1;
        }
    }
    /* The method calls nothing of Java but this. */
    struct JNINativeInterface_ functions = {.NewDirectByteBuffer = print};
    JNIEnv environment = &functions;
    Method version = (Method)dlsym(library, VERSION);
    version(&environment, NULL);
    return 0;
}
