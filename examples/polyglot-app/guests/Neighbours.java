import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/**
 * Texts, and which of them is like another one, by Commons Text. Keeps the last ones, and of each its beginning: what is
 * compared costs as much as one text is long times the other.
 */
public final class Neighbours {
    private static final int LENGTH_MAX = 200;

    /** A text that is like the one that was asked for: 1 is the same. */
    public record Neighbour(int id, double similarity) {}

    private final JaroWinklerSimilarity measure = new JaroWinklerSimilarity();
    private final Map<Integer, String> texts;

    public Neighbours(int textsMax) {
        texts = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
                return size() > textsMax;
            }
        };
    }

    /** Adds a text; the nearest one of those before it, or null. Several of Java's threads may be in here. */
    public synchronized Neighbour add(int id, String text) {
        String begin = text.substring(0, Math.min(text.length(), LENGTH_MAX)).toLowerCase(Locale.ROOT);
        Neighbour nearest = null;
        for (Map.Entry<Integer, String> one : texts.entrySet()) {
            double similarity = measure.apply(begin, one.getValue());
            if (nearest == null || similarity > nearest.similarity()) nearest = new Neighbour(one.getKey(), similarity);
        }
        texts.put(id, begin);
        return nearest;
    }

    public synchronized int size() {
        return texts.size();
    }
}
