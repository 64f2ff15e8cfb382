package fulmar.guest;

import java.io.File;
import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Classes of source files. Those of one folder with one class path have one loader, so that what two of them use of a
 * third is the same class.
 */
final class Sources {
    private static final Pattern PACKAGE = Pattern.compile("^\\s*package\\s+([\\w.]+)\\s*;", Pattern.MULTILINE);
    private static final String SUFFIX = ".java";
    private static final Map<List<String>, Compiler.Compiled> LOADERS = new HashMap<>();
    /** By file, then its class path. */
    private static final Map<List<String>, Class<?>> LOADED = new HashMap<>();

    private Sources() {}

    /** @param given texts by path, where there are no files; else empty */
    static synchronized Class<?> load(String file, List<String> classPath, Map<?, ?> given) throws Exception {
        List<String> key = keyOf(file, classPath);
        Class<?> known = LOADED.get(key);
        if (known != null) return known;
        Path path = Path.of(file);
        Modules.checkCompiler("compiling " + path.getFileName());
        String text = textOf(path, given);
        Matcher found = PACKAGE.matcher(text);
        String packageName = found.find() ? found.group(1) : "";
        Path folder = folderOf(path.toAbsolutePath().getParent(), packageName);
        List<File> whole = new ArrayList<>();
        for (String one : classPath) whole.addAll(Modules.files(one));
        Compiler.Compiled loader = loaderOf(folder, classPath);
        Compiler.compile(path.toAbsolutePath().toString(), text, new Compiler.Place(folder, given, whole), loader);
        String simple = path.getFileName().toString().replaceFirst("\\.java$", "");
        Class<?> loaded;
        try {
            loaded = Class.forName(packageName.isEmpty() ? simple : packageName + "." + simple, true, loader);
        } catch (ClassNotFoundException none) {
            throw new ClassNotFoundException(file + " has no class " + simple + ": the class that is imported has the name of its file", none);
        }
        LOADED.put(key, loaded);
        return loaded;
    }

    /**
     * Files below a folder are compiled anew with their next import; what there is of them stays as it is. With `files`,
     * only if one of these is loaded. Gives those of them that are; without, all that are forgotten.
     */
    static synchronized List<String> forget(Map<?, ?> options) {
        String folder = Path.of(String.valueOf(options.get("folder"))).toAbsolutePath() + "/";
        Object files = options.get("files");
        Set<String> forgotten = new TreeSet<>();
        List<List<String>> stale = new ArrayList<>();
        LOADERS.forEach((key, loader) -> {
            List<String> below = new ArrayList<>();
            for (String file : filesOf(key.get(0), loader)) if (file.startsWith(folder)) below.add(file);
            if (!below.isEmpty()) stale.add(key);
            forgotten.addAll(below);
        });
        if (files instanceof List) forgotten.retainAll((List<?>) files);
        if (forgotten.isEmpty()) return new ArrayList<>();
        LOADERS.keySet().removeAll(stale);
        LOADED.keySet().removeIf(key -> key.get(0).startsWith(folder));
        return new ArrayList<>(forgotten);
    }

    /** The sources that a loader's classes are from. */
    private static Set<String> filesOf(String root, Compiler.Compiled loader) {
        Set<String> files = new TreeSet<>();
        for (String name : loader.names())
            if (name.indexOf('$') < 0) files.add(root + "/" + name.replace('.', '/') + SUFFIX);
        return files;
    }

    private static List<String> keyOf(String first, List<String> classPath) {
        List<String> key = new ArrayList<>();
        key.add(first);
        key.addAll(classPath);
        return key;
    }

    private static String textOf(Path path, Map<?, ?> given) throws Exception {
        Object text = given.get(path.toString());
        if (text instanceof String) return (String) text;
        if (!Files.exists(path)) throw new FileNotFoundException("there is no " + path);
        return Files.readString(path);
    }

    private static Compiler.Compiled loaderOf(Path folder, List<String> classPath) throws Exception {
        List<String> key = keyOf(folder.toString(), classPath);
        Compiler.Compiled known = LOADERS.get(key);
        if (known != null) return known;
        Compiler.Compiled made = new Compiler.Compiled(Compiler.FILES + folder, Modules.loader(classPath));
        LOADERS.put(key, made);
        return made;
    }

    /** Where the packages begin, if the folders are called like them. */
    private static Path folderOf(Path folder, String packageName) {
        if (packageName.isEmpty()) return folder;
        Path below = Path.of(packageName.replace('.', '/'));
        if (!folder.endsWith(below)) return folder;
        Path root = folder;
        for (int level = below.getNameCount(); level > 0 && root.getParent() != null; level -= 1) root = root.getParent();
        return root;
    }
}
