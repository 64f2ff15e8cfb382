package fulmar.guest;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A package, on the way to a class: `java.root.java.util.ArrayList`. */
final class Packages {
    private static final int CACHED_MAX = 10_000;

    private final ClassLoader loader;
    /** Empty at the root. */
    private final String name;

    private final Map<String, Object> members = new ConcurrentHashMap<>();

    Packages(ClassLoader loader, String name) {
        this.loader = loader;
        this.name = name;
    }

    /** A class, or a package below this one. */
    Object member(String member) {
        Object known = members.get(member);
        if (known != null) return known;
        String whole = name.isEmpty() ? member : name + "." + member;
        Object found;
        try {
            found = Class.forName(whole, true, loader);
        } catch (ClassNotFoundException | NoClassDefFoundError none) {
            found = new Packages(loader, whole);
        }
        // What is only a guess is not kept: a class of that name may come.
        if (found instanceof Class && members.size() < CACHED_MAX) members.put(member, found);
        return found;
    }

    boolean exists() {
        if (name.isEmpty()) return true;
        for (Package one : Package.getPackages()) if (isWithin(one.getName())) return true;
        for (Module module : ModuleLayer.boot().modules())
            for (String one : module.getPackages()) if (isWithin(one)) return true;
        return false;
    }

    private boolean isWithin(String other) {
        return other.equals(name) || other.startsWith(name + ".");
    }

    String missing() {
        return "there is no class or package " + name + " on the class path";
    }

    @Override
    public String toString() {
        return name.isEmpty() ? "the packages of Java" : "package " + name;
    }
}
