/**
 * The part of `java-program.ts` that says what a type is, by what becomes of its values, and that prints. Text only.
 */
export const TYPES = String.raw`
    static boolean isOf(Element one, String name) {
        return one instanceof TypeElement && ((TypeElement) one).getQualifiedName().contentEquals(name);
    }

    /** The arguments of what a type is, too; null: it is not. */
    static List<TypeMirror> view(TypeMirror type, String name) {
        if (type.getKind() != TypeKind.DECLARED) return null;
        if (isOf(((DeclaredType) type).asElement(), name)) return new ArrayList<>(((DeclaredType) type).getTypeArguments());
        for (TypeMirror one : types.directSupertypes(type)) {
            List<TypeMirror> found = view(one, name);
            if (found != null) return found;
        }
        return null;
    }

    static Map<String, Object> argument(List<TypeMirror> all, int at, int depth) {
        return at < all.size() ? describe(all.get(at), depth + 1) : Map.of("kind", "unknown");
    }

    static Map<String, Object> describe(TypeMirror type, int depth) {
        if (depth > DEPTH_MAX) return Map.of("kind", "unknown");
        switch (type.getKind()) {
            case ARRAY:
                return Map.of("kind", "array", "items", List.of(describe(((ArrayType) type).getComponentType(), depth + 1)));
            case DECLARED:
                return declared((DeclaredType) type, depth);
            case TYPEVAR:
                return describe(((TypeVariable) type).getUpperBound(), depth + 1);
            case WILDCARD:
                TypeMirror bound = ((WildcardType) type).getExtendsBound();
                if (bound == null) bound = ((WildcardType) type).getSuperBound();
                return bound == null ? Map.of("kind", "unknown") : describe(bound, depth + 1);
            case INTERSECTION:
                return describe(((IntersectionType) type).getBounds().get(0), depth + 1);
            default:
                return type.getKind().isPrimitive() || type.getKind() == TypeKind.VOID
                        ? Map.of("kind", "value", "name", type.getKind().name().toLowerCase(Locale.ROOT))
                        : Map.of("kind", "unknown");
        }
    }

    static Map<String, Object> declared(DeclaredType type, int depth) {
        TypeElement element = (TypeElement) type.asElement();
        String name = element.getQualifiedName().toString();
        for (String[] base : BASES) {
            List<TypeMirror> items = view(type, base[0]);
            // What can be gone through stays an object, with its other members.
            if (items == null || base[1].equals("iterable") && !name.equals(base[0]) && isOwn(element)) continue;
            List<Object> described = new ArrayList<>();
            for (int at = 0; at < 2; at += 1) described.add(argument(items, at, depth));
            return Map.of("kind", base[1], "name", base[1].equals("value") && !isOwn(element) ? name : base[0], "items", described);
        }
        if (isOwn(element)) {
            want(element);
            return Map.of("kind", "class", "name", name);
        }
        if (name.equals("java.lang.Comparable")) return Map.of("kind", "unknown");
        Map<String, Object> function = function(type, depth);
        if (function != null) return Map.of("kind", "function", "name", name, "function", function);
        if (element.getKind() == ElementKind.ENUM) {
            want(element);
            return Map.of("kind", "class", "name", name);
        }
        return Map.of("kind", "value", "name", name);
    }

    static boolean isOwn(TypeElement element) {
        String name = element.getQualifiedName().toString();
        if (name.equals(target) || name.startsWith(target + ".")) return true;
        ModuleElement module = elements.getModuleOf(element);
        return module == null || !module.getQualifiedName().toString().matches("(?:java|jdk)\\..+");
    }

    /** The one method that an implementation must have; null: there is none, or there are several. */
    static Map<String, Object> function(DeclaredType type, int depth) {
        if (type.asElement().getKind() != ElementKind.INTERFACE || depth > DEPTH_MAX) return null;
        ExecutableElement found = null;
        for (ExecutableElement one : ElementFilter.methodsIn(elements.getAllMembers((TypeElement) type.asElement()))) {
            if (!one.getModifiers().contains(Modifier.ABSTRACT) || isObjects(one)) continue;
            if (found != null && !found.getSimpleName().equals(one.getSimpleName())) return null;
            if (found == null) found = one;
        }
        if (found == null) return null;
        ExecutableType own = (ExecutableType) types.asMemberOf(type, found);
        List<Object> parameters = new ArrayList<>();
        for (int at = 0; at < own.getParameterTypes().size(); at += 1)
            parameters.add(Map.of("name", found.getParameters().get(at).getSimpleName().toString(), "type", describe(own.getParameterTypes().get(at), depth + 1)));
        return Map.of("parameters", parameters, "isRest", found.isVarArgs(), "returns", describe(own.getReturnType(), depth + 1));
    }

    static boolean isObjects(ExecutableElement one) {
        String name = one.getSimpleName().toString();
        int count = one.getParameters().size();
        return name.equals("equals") && count == 1 || count == 0 && (name.equals("hashCode") || name.equals("toString"));
    }

    static void write(Object value, StringBuilder text) {
        if (value instanceof Map) {
            text.append('{');
            ((Map<?, ?>) value).forEach((key, one) -> {
                if (text.charAt(text.length() - 1) != '{') text.append(',');
                write(key, text);
                text.append(':');
                write(one, text);
            });
            text.append('}');
        } else if (value instanceof List) {
            text.append('[');
            for (Object one : (List<?>) value) {
                if (text.charAt(text.length() - 1) != '[') text.append(',');
                write(one, text);
            }
            text.append(']');
        } else if (value instanceof String) {
            text.append('"');
            for (char one : ((String) value).toCharArray())
                text.append(one < ' ' || one == '"' || one == '\\' || one > '~' ? String.format("\\u%04x", (int) one) : String.valueOf(one));
            text.append('"');
        } else text.append(value);
    }
}
`;
