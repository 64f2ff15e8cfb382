package fulmar.guest;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What `java.import()` gives: a class by its name, the classes of a jar as packages, or the class of a source file. There
 * is one class loader for each class path, so that whoever imports a class has the same, with its static fields.
 */
final class Modules {
    private static final String CLASS_PATH = "classPath";
    /** Texts by path, from executables, which have no files. */
    private static final String SOURCES = "sources";

    /** Sources are compiled anew: with this import, or with the next one of what stands in a folder. */
    private static final String RELOAD = "reload";

    private static final String FORGET = "forget";

    /** An archive that an executable carries. */
    private static final Pattern IN_MEMORY = Pattern.compile("/proc/\\d+/fd/\\d+");

    private static final ClassLoader BASE = Modules.class.getClassLoader();
    private static final Packages ROOT = new Packages(BASE, "");
    private static final Map<List<String>, ClassLoader> LOADERS = new HashMap<>();

    private Modules() {}

    static Packages root() {
        return ROOT;
    }

    static Object load(String specifier, Object options) throws Exception {
        Map<?, ?> given = options instanceof Map ? (Map<?, ?>) options : Map.of();
        if (given.get(FORGET) instanceof Map) return Sources.forget((Map<?, ?>) given.get(FORGET));
        List<String> classPath = classPathOf(options);
        boolean isAnew = Boolean.TRUE.equals(given.get(RELOAD));
        if ((specifier.endsWith(".jar") || isInMemory(specifier)) && !isAnew) {
            List<String> whole = new ArrayList<>();
            whole.add(specifier);
            whole.addAll(classPath);
            return new Packages(loader(whole), "");
        }
        if (specifier.endsWith(".java")) {
            if (isAnew) Sources.forget(Map.of("folder", new File(specifier).getAbsoluteFile().getParent()));
            return Sources.load(specifier, classPath, sourcesOf(options));
        }
        if (isAnew)
            throw new IllegalArgumentException(specifier + " is not loaded again: that is done for source files, and this is a class");
        if (specifier.indexOf('/') >= 0)
            throw new ClassNotFoundException(
                    specifier + " is no class: a name is expected (com.acme.Model), a .java file or a .jar file");
        return named(specifier, loader(classPath));
    }

    private static List<String> classPathOf(Object options) {
        if (options == null) return Collections.emptyList();
        if (!(options instanceof Map)) throw new IllegalArgumentException("java.import(): options is an object, as { classPath: ['./lib/model.jar'] }");
        for (Object name : ((Map<?, ?>) options).keySet())
            if (!List.of(CLASS_PATH, SOURCES, RELOAD).contains(name)) throw new IllegalArgumentException("java.import() knows no option " + name + ": it is classPath");
        Object given = ((Map<?, ?>) options).get(CLASS_PATH);
        if (given == null) return Collections.emptyList();
        Object[] list = given instanceof List ? ((List<?>) given).toArray() : new Object[] {given};
        List<String> paths = new ArrayList<>();
        for (Object one : list) {
            if (!(one instanceof String))
                throw new IllegalArgumentException("java.import(): classPath is a list of paths, and one of them is " + Convert.describe(one));
            paths.add((String) one);
        }
        return paths;
    }

    private static Map<?, ?> sourcesOf(Object options) {
        Object sources = options instanceof Map ? ((Map<?, ?>) options).get(SOURCES) : null;
        return sources instanceof Map ? (Map<?, ?>) sources : Map.of();
    }

    /** `com.acme.Outer.Inner` is `com.acme.Outer$Inner`. */
    private static Class<?> named(String name, ClassLoader loader) throws ClassNotFoundException {
        String tried = name;
        while (true) {
            try {
                return Class.forName(tried, true, loader);
            } catch (ClassNotFoundException none) {
                int at = tried.lastIndexOf('.');
                if (at < 0 || Character.isLowerCase(tried.charAt(at == 0 ? 0 : tried.lastIndexOf('.', at - 1) + 1)))
                    throw new ClassNotFoundException("there is no class " + name + " on the class path", none);
                tried = tried.substring(0, at) + "$" + tried.substring(at + 1);
            }
        }
    }

    static synchronized ClassLoader loader(List<String> classPath) throws IOException {
        if (classPath.isEmpty()) return BASE;
        ClassLoader known = LOADERS.get(classPath);
        if (known != null) return known;
        List<URL> urls = new ArrayList<>();
        for (String path : classPath) addUrls(path, urls);
        ClassLoader made = new URLClassLoader(urls.toArray(new URL[0]), BASE);
        LOADERS.put(classPath, made);
        return made;
    }

    /** A jar, a folder of classes, or all jars of a folder (`lib/*`). */
    private static void addUrls(String path, List<URL> urls) throws IOException {
        for (File file : files(path)) urls.add(urlOf(file));
    }

    private static URL urlOf(File file) throws MalformedURLException {
        return file.toURI().toURL();
    }

    static boolean isInMemory(String path) {
        return IN_MEMORY.matcher(path).matches();
    }

    static List<File> files(String path) throws FileNotFoundException {
        boolean isAll = path.endsWith("/*");
        File file = new File(isAll ? path.substring(0, path.length() - 2) : path);
        if (!file.exists()) throw new FileNotFoundException("classPath: there is no " + file);
        if (!isAll) return Collections.singletonList(file);
        File[] jars = file.listFiles((folder, name) -> name.endsWith(".jar"));
        if (jars == null || jars.length == 0) throw new FileNotFoundException("classPath: there is no jar in " + file);
        List<File> sorted = new ArrayList<>(List.of(jars));
        Collections.sort(sorted);
        return sorted;
    }

    static void checkCompiler(String what) {
        if (hasCompiler()) return;
        String home = System.getProperty("java.home");
        throw new Refusal(
                Refusal.UNAVAILABLE,
                what + " needs the compiler of Java, which " + home
                        + " does not have: install a JDK (Debian: apt-get install openjdk-17-jdk-headless), or give compiled classes (classPath)");
    }

    static boolean hasCompiler() {
        return ModuleLayer.boot().findModule("jdk.compiler").isPresent();
    }
}
