package fulmar.guest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The classes of this folder, from the bytes of a jar that is part of Fulmar's library. The only one that is defined by
 * JNI (`crates/guest-java/src/machine.rs`): nothing is written to a disk.
 */
public final class Loader extends ClassLoader {
    private static final String SUFFIX = ".class";
    private final Map<String, byte[]> classes = new HashMap<>();

    public Loader(ClassLoader parent, byte[] jar) throws IOException {
        super("fulmar", parent);
        try (ZipInputStream entries = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
                String name = entry.getName();
                if (!name.endsWith(SUFFIX)) continue;
                classes.put(name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'), entries.readAllBytes());
            }
        }
    }

    /** Names of all classes that are here. */
    public Set<String> names() {
        return classes.keySet();
    }

    /** A class as bytes; null: it is not one of these. */
    public byte[] bytes(String name) {
        return classes.get(name);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = classes.get(name);
        if (bytes == null) throw new ClassNotFoundException(name);
        return defineClass(name, bytes, 0, bytes.length);
    }
}
