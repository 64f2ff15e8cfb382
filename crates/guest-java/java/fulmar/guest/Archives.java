package fulmar.guest;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

/**
 * Classes for the compiler in archives that an executable has in memory: it knows an archive by the ending of its name, and
 * these have none.
 */
final class Archives implements AutoCloseable {
    private static final String SUFFIX = JavaFileObject.Kind.CLASS.extension;

    private final List<ZipFile> open = new ArrayList<>();
    /** By package. */
    private final Map<String, List<Entry>> entries = new HashMap<>();

    Archives(List<File> classPath) throws IOException {
        try {
            for (File file : classPath) if (Modules.isInMemory(file.getPath())) read(new ZipFile(file));
        } catch (IOException error) {
            close();
            throw error;
        }
    }

    private void read(ZipFile archive) {
        open.add(archive);
        archive.stream().filter(entry -> entry.getName().endsWith(SUFFIX)).forEach(entry -> {
            String name = entry.getName();
            String folder = name.substring(0, Math.max(name.lastIndexOf('/'), 0));
            entries.computeIfAbsent(folder.replace('/', '.'), none -> new ArrayList<>()).add(new Entry(archive, entry));
        });
    }

    List<Entry> list(String packageName, Set<JavaFileObject.Kind> kinds) {
        return kinds.contains(JavaFileObject.Kind.CLASS) ? entries.getOrDefault(packageName, List.of()) : List.of();
    }

    @Override
    public void close() throws IOException {
        for (ZipFile one : open) one.close();
    }

    static final class Entry extends SimpleJavaFileObject {
        private final ZipFile archive;
        private final ZipEntry entry;

        Entry(ZipFile archive, ZipEntry entry) {
            super(URI.create("memory:///" + entry.getName().replaceAll("[^A-Za-z0-9_$./-]", "_")), Kind.CLASS);
            this.archive = archive;
            this.entry = entry;
        }

        String className() {
            String name = entry.getName();
            return name.substring(0, name.length() - SUFFIX.length()).replace('/', '.');
        }

        @Override
        public InputStream openInputStream() throws IOException {
            return archive.getInputStream(entry);
        }
    }
}
