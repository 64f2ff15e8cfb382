package fulmar.guest;

/** How objects that stay here are called. */
final class Names {
    private Names() {}

    static String of(Object value) {
        if (value instanceof Class) return "class " + ((Class<?>) value).getTypeName();
        if (value instanceof Packages || value instanceof Bound) return value.toString();
        return value.getClass().getTypeName();
    }
}
