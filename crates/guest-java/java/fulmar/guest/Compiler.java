package fulmar.guest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Source becomes classes, in memory. Asked for only where there is a compiler (`Modules.checkCompiler`). */
final class Compiler {
    /** Begins the name of a class loader of files, behind which their folder follows. */
    static final String FILES = "files:";
    /** The same for code that is no file: its name follows. */
    static final String CODE = "code:";

    private static final int PROBLEMS_MAX = 10;

    private Compiler() {}

    /** Classes that were compiled, of one folder with one class path or of one piece of code. */
    static final class Compiled extends ClassLoader {
        private final Map<String, byte[]> classes = new ConcurrentHashMap<>();

        Compiled(String name, ClassLoader parent) {
            super(name, parent);
        }

        /** What is there already stays: it may be in use. */
        private void add(Map<String, byte[]> more) {
            more.forEach(classes::putIfAbsent);
        }

        Set<String> names() {
            return classes.keySet();
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) throw new ClassNotFoundException(name);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Where classes are looked for that a source uses. */
    static final class Place {
        static final Place NONE = new Place(null, Map.of(), List.of());

        /** Where packages of sources begin; null: there are no others. */
        private final Path folder;
        /** Sources by path, where the folder is none on a disk; else empty. */
        private final Map<?, ?> texts;
        private final List<File> classPath;

        Place(Path folder, Map<?, ?> texts, List<File> classPath) {
            this.folder = folder;
            this.texts = texts;
            this.classPath = classPath;
        }

        private boolean isInMemory() {
            return !texts.isEmpty();
        }
    }

    /**
     * Compiles a source into a loader's classes, with those that it uses.
     *
     * @param name of the source, as a path
     */
    static void compile(String name, String text, Place place, Compiled into) throws CompilationException, IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Map<String, byte[]> classes = new HashMap<>();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8);
                Archives archives = new Archives(place.classPath)) {
            standard.setLocation(StandardLocation.CLASS_PATH, place.classPath);
            boolean isOnDisk = place.folder != null && !place.isInMemory();
            standard.setLocation(StandardLocation.SOURCE_PATH, isOnDisk ? List.of(place.folder.toFile()) : List.of());
            List<String> options = List.of("-parameters", "-g", "-proc:none", "-Xlint:none", "-implicit:class");
            JavaFileManager files = new Files(standard, classes, place, archives);
            List<Source> units = List.of(new Source(name, text));
            if (!compiler.getTask(null, files, found, options, null, units).call()) throw problem(found);
        }
        into.add(classes);
    }

    private static CompilationException problem(DiagnosticCollector<JavaFileObject> found) {
        StringBuilder message = new StringBuilder();
        List<Map<String, Object>> frames = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics()) {
            if (one.getKind() != Diagnostic.Kind.ERROR || frames.size() == PROBLEMS_MAX) continue;
            if (message.length() > 0) message.append('\n');
            message.append("line ").append(one.getLineNumber()).append(": ").append(one.getMessage(Locale.ROOT));
            frames.add(Described.frame(nameOf(one.getSource()), one.getLineNumber(), "<source>"));
        }
        return new CompilationException(message.toString(), frames);
    }

    private static String nameOf(JavaFileObject file) {
        if (file == null) return "<source>";
        return file instanceof Source ? ((Source) file).name : file.getName();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String name;
        private final String text;

        Source(String name, String text) {
            super(URI.create("source:///" + name.replaceAll("[^A-Za-z0-9_$./-]", "_").replaceFirst("^/", "")), Kind.SOURCE);
            this.name = name;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        /** A public class may be called anything in a source that is no file. */
        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return true;
        }
    }

    private static final class Binary extends SimpleJavaFileObject {
        private final String name;
        private final Map<String, byte[]> classes;

        Binary(String name, Map<String, byte[]> classes) {
            super(URI.create("memory:///" + name.replace('.', '/') + Kind.CLASS.extension), Kind.CLASS);
            this.name = name;
            this.classes = classes;
        }

        @Override
        public InputStream openInputStream() {
            return new ByteArrayInputStream(classes.get(name));
        }

        @Override
        public OutputStream openOutputStream() {
            return new ByteArrayOutputStream() {
                @Override
                public void close() {
                    classes.put(name, toByteArray());
                }
            };
        }
    }

    /** Writes classes to memory; Fulmar's own of the package `fulmar` are read from there, too. */
    private static final class Files extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Map<String, byte[]> classes;
        private final Place place;
        private final Archives archives;

        Files(StandardJavaFileManager standard, Map<String, byte[]> classes, Place place, Archives archives) {
            super(standard);
            this.classes = classes;
            this.place = place;
            this.archives = archives;
        }

        @Override
        public boolean hasLocation(Location location) {
            return location == StandardLocation.SOURCE_PATH && place.isInMemory() || super.hasLocation(location);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new Binary(name, classes);
        }

        @Override
        public Iterable<JavaFileObject> list(Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
                throws IOException {
            if (location == StandardLocation.SOURCE_PATH && place.isInMemory()) return sourcesOf(packageName, kinds);
            Iterable<JavaFileObject> found = super.list(location, packageName, kinds, recurse);
            if (location != StandardLocation.CLASS_PATH) return found;
            List<JavaFileObject> all = new ArrayList<>(archives.list(packageName, kinds));
            found.forEach(all::add);
            if (!packageName.equals("fulmar")) return all;
            Loader own = (Loader) Compiler.class.getClassLoader();
            for (String name : own.names())
                if (name.startsWith("fulmar.JavaScript")) all.add(new Binary(name, Map.of(name, own.bytes(name))));
            return all;
        }

        private List<JavaFileObject> sourcesOf(String packageName, Set<JavaFileObject.Kind> kinds) {
            List<JavaFileObject> found = new ArrayList<>();
            if (!kinds.contains(JavaFileObject.Kind.SOURCE)) return found;
            Path within = place.folder.resolve(packageName.replace('.', '/'));
            place.texts.forEach((name, text) -> {
                Path path = Path.of(String.valueOf(name));
                if (within.equals(path.getParent()) && text instanceof String) found.add(new Source(path.toString(), (String) text));
            });
            return found;
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            if (file instanceof Binary) return ((Binary) file).name;
            if (file instanceof Archives.Entry) return ((Archives.Entry) file).className();
            if (!(file instanceof Source)) return super.inferBinaryName(location, file);
            String path = place.folder.relativize(Path.of(((Source) file).name)).toString();
            return path.substring(0, path.length() - JavaFileObject.Kind.SOURCE.extension.length()).replace('/', '.');
        }

        @Override
        public boolean isSameFile(FileObject one, FileObject other) {
            if (one instanceof Source && other instanceof Source) return ((Source) one).name.equals(((Source) other).name);
            return one == other || !(isOurs(one) || isOurs(other)) && super.isSameFile(one, other);
        }

        private static boolean isOurs(FileObject file) {
            return file instanceof Binary || file instanceof Source || file instanceof Archives.Entry;
        }
    }
}
