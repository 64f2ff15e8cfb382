package fulmar.guest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
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

    /**
     * Compiles sources into a loader's classes.
     *
     * @param sources texts by name; what they use of each other is found
     * @param folder where the sources of other classes are looked for; null: nowhere
     */
    static void compile(Map<String, String> sources, File folder, List<File> classPath, Compiled into)
            throws CompilationException, IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Map<String, byte[]> classes = new HashMap<>();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
            standard.setLocation(StandardLocation.CLASS_PATH, classPath);
            standard.setLocation(StandardLocation.SOURCE_PATH, folder == null ? List.of() : List.of(folder));
            List<String> options = List.of("-parameters", "-g", "-proc:none", "-Xlint:none", "-implicit:class");
            List<Source> units = new ArrayList<>();
            sources.forEach((name, text) -> units.add(new Source(name, text)));
            JavaFileManager files = new Files(standard, classes);
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

        Files(StandardJavaFileManager standard, Map<String, byte[]> classes) {
            super(standard);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new Binary(name, classes);
        }

        @Override
        public Iterable<JavaFileObject> list(Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
                throws IOException {
            Iterable<JavaFileObject> found = super.list(location, packageName, kinds, recurse);
            if (location != StandardLocation.CLASS_PATH || !packageName.equals("fulmar")) return found;
            List<JavaFileObject> all = new ArrayList<>();
            found.forEach(all::add);
            Loader own = (Loader) Compiler.class.getClassLoader();
            for (String name : own.names())
                if (name.startsWith("fulmar.JavaScript")) all.add(new Binary(name, Map.of(name, own.bytes(name))));
            return all;
        }

        @Override
        public String inferBinaryName(Location location, JavaFileObject file) {
            return file instanceof Binary ? ((Binary) file).name : super.inferBinaryName(location, file);
        }

        @Override
        public boolean isSameFile(FileObject one, FileObject other) {
            return one == other || !(one instanceof Binary || other instanceof Binary) && super.isSameFile(one, other);
        }
    }
}
