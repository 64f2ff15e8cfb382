package fulmar.guest;

import java.lang.ref.Reference;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** What Fulmar's library calls (`crates/guest-java/src`): a message is done, and replied to. */
public final class Guest {
    static final int VALUE = 0;
    static final int ERROR = 1;
    static final int CALLBACK = 2;
    static final int LET_GO = 3;

    private Guest() {}

    /** Does one message. Never throws. */
    static void run(long clientId, long call, byte[] bytes, int length, Object[] attached) {
        Client client = Client.of(clientId);
        Request request = new Request(client, new Reader(client, bytes, length, attached));
        try {
            Object result = request.perform();
            if (call == 0) return;
            if (result instanceof CompletionStage && request.isAwaited) later(client, call, request.isHandle, (CompletionStage<?>) result);
            else settle(client, call, request.isHandle, result);
        } catch (Throwable problem) {
            if (call != 0) fail(client, call, problem);
        } finally {
            // What was meant to interrupt this call does not reach the next one.
            Thread.interrupted();
        }
    }

    private static void later(Client client, long call, boolean isHandle, CompletionStage<?> stage) {
        client.waits(call, stage);
        stage.whenComplete((value, problem) -> {
            client.settled(call);
            if (problem == null) settle(client, call, isHandle, value);
            else fail(client, call, reasonOf(problem));
        });
    }

    private static Throwable reasonOf(Throwable problem) {
        boolean isWrapper = problem instanceof CompletionException || problem instanceof ExecutionException;
        return isWrapper && problem.getCause() != null ? problem.getCause() : problem;
    }

    private static void settle(Client client, long call, boolean isHandle, Object value) {
        Writer writer = Writer.starting(VALUE, call);
        Outgoing outgoing = new Outgoing(client, writer);
        Throwable problem = null;
        try {
            if (isHandle) outgoing.handle(value);
            else outgoing.value(value);
            writer.reply(client.id);
        } catch (Throwable thrown) {
            problem = thrown;
            outgoing.takeBack();
        } finally {
            writer.rest();
        }
        // See `References.call`.
        Reference.reachabilityFence(value);
        if (problem != null) fail(client, call, problem);
    }

    private static void fail(Client client, long call, Throwable problem) {
        Writer writer = Writer.starting(ERROR, call);
        Outgoing outgoing = new Outgoing(client, writer);
        try {
            if (problem instanceof Refusal) outgoing.value(java.util.Map.of("code", ((Refusal) problem).code, "message", problem.getMessage()));
            else outgoing.value(Described.of(problem));
            writer.reply(client.id);
        } catch (Throwable beyond) {
            outgoing.takeBack();
            plain(client, call, beyond);
        } finally {
            writer.rest();
        }
        Reference.reachabilityFence(problem);
    }

    /** An exception that cannot be described. */
    private static void plain(Client client, long call, Throwable problem) {
        Writer writer = Writer.starting(ERROR, call);
        String message = "an exception that cannot be described: " + problem.getClass().getName();
        new Outgoing(client, writer).value(java.util.Map.of("code", "ERR_GUEST_EXCEPTION", "message", message));
        writer.reply(client.id);
    }

    static void forget(long client) {
        Client.forget(client);
    }

    static void cancelLater(long client, long call) {
        Client.cancel(client, call);
    }

    static boolean isInterrupted() {
        return Thread.currentThread().isInterrupted();
    }

    static void interrupt(Thread thread) {
        thread.interrupt();
    }

    static Thread current() {
        return Thread.currentThread();
    }

    static void clear() {
        Thread.interrupted();
    }

    static void flush() {
        System.out.flush();
        System.err.flush();
    }
}
