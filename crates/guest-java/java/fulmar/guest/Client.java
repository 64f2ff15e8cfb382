package fulmar.guest;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** One JavaScript environment: the objects that it has handles of, and what it waits for without a thread. */
final class Client {
    private static final Map<Long, Client> ALL = new ConcurrentHashMap<>();

    final long id;
    private final Map<Long, Object> handles = new HashMap<>();
    private final Map<Long, CompletionStage<?>> stages = new ConcurrentHashMap<>();
    private long last;

    private Client(long id) {
        this.id = id;
        // Handles are told apart from those of other processes.
        this.last = id;
    }

    static Client of(long id) {
        return ALL.computeIfAbsent(id, Client::new);
    }

    static void forget(long id) {
        Client client = ALL.remove(id);
        if (client == null) return;
        client.stages.values().forEach(Client::cancel);
        synchronized (client.handles) {
            client.handles.clear();
        }
    }

    /** Keeps an object for JavaScript, by a number that is never used again. */
    long keep(Object value) {
        synchronized (handles) {
            last += 1;
            handles.put(last, value);
            return last;
        }
    }

    Object handle(long number) {
        Object value;
        synchronized (handles) {
            value = handles.get(number);
        }
        if (value == null)
            throw new Refusal(
                    Refusal.HANDLE, "this object was let go of: nothing of Java's stands behind it any more");
        return value;
    }

    void release(long number) {
        synchronized (handles) {
            handles.remove(number);
        }
    }

    void waits(long call, CompletionStage<?> stage) {
        stages.put(call, stage);
    }

    void settled(long call) {
        stages.remove(call);
    }

    /** Nobody waits any more for what goes on without a thread. */
    static void cancel(long id, long call) {
        Client client = ALL.get(id);
        CompletionStage<?> stage = client == null ? null : client.stages.remove(call);
        if (stage != null) cancel(stage);
    }

    private static void cancel(CompletionStage<?> stage) {
        try {
            stage.toCompletableFuture().cancel(true);
        } catch (UnsupportedOperationException notOne) {
            // It goes on, and nobody hears of it.
        }
    }
}
