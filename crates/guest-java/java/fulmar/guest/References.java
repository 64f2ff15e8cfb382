package fulmar.guest;

import fulmar.JavaScriptFunction;
import fulmar.JavaScriptObject;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.CancellationException;

/** Objects of JavaScript's that are here: each is told to be let go of once, when nothing here has it any more. */
final class References {
    private static final Cleaner CLEANER = Cleaner.create();

    private References() {}

    private static class Borrowed implements JavaScriptObject {
        final Client client;
        final long id;

        Borrowed(Client client, long id) {
            this.client = client;
            this.id = id;
        }

        @Override
        public String toString() {
            return "an object of JavaScript's";
        }
    }

    private static final class Function extends Borrowed implements JavaScriptFunction {
        Function(Client client, long id) {
            super(client, id);
        }

        @Override
        public Object call(Object... arguments) {
            return References.call(this, arguments == null ? new Object[] {null} : arguments);
        }

        @Override
        public String toString() {
            return "a function of JavaScript's";
        }
    }

    private static final class LetGo implements Runnable {
        private final long client;
        private final long id;

        LetGo(long client, long id) {
            this.client = client;
            this.id = id;
        }

        @Override
        public void run() {
            Pressure.letGo();
            Writer writer = Writer.starting(Guest.LET_GO, id);
            writer.reply(client);
            writer.rest();
        }
    }

    static JavaScriptObject borrow(Client client, long id, boolean isCallable) {
        Borrowed borrowed = isCallable ? new Function(client, id) : new Borrowed(client, id);
        CLEANER.register(borrowed, new LetGo(client.id, id));
        Pressure.taken();
        return borrowed;
    }

    /** The object of JavaScript's that a value is, or stands for; null: neither. */
    static Object unwrap(Object value) {
        if (value instanceof Borrowed) return value;
        if (!(value instanceof Proxy)) return null;
        InvocationHandler handler = Proxy.getInvocationHandler(value);
        return handler instanceof Lambda ? ((Lambda) handler).function : null;
    }

    static long idOf(Object value, Client client) {
        if (!(value instanceof Borrowed)) throw Refusal.value("an object that only looks like one of JavaScript's");
        Borrowed borrowed = (Borrowed) value;
        if (borrowed.client != client) throw Refusal.value("an object of another thread's JavaScript");
        return borrowed.id;
    }

    private static Object call(Function function, Object[] arguments) {
        Client client = function.client;
        long number = Native.begin(client.id);
        Writer writer = Writer.starting(Guest.CALLBACK, number);
        Outgoing outgoing = new Outgoing(client, writer);
        boolean isWritten = false;
        byte[][] answer;
        try {
            writer.id(function.id);
            writer.id(arguments.length);
            for (Object argument : arguments) outgoing.value(argument);
            isWritten = true;
            answer = writer.call(client.id, number);
        } catch (Refusal refusal) {
            throw new IllegalArgumentException(refusal.getMessage());
        } finally {
            if (!isWritten) {
                Native.giveUp(number);
                outgoing.takeBack();
            }
            writer.rest();
        }
        // An object that nobody else has is let go of by a message, which must not come before this one.
        Reference.reachabilityFence(arguments);
        Reference.reachabilityFence(function);
        if (answer == null) throw new CancellationException("nobody waits for this call any more");
        return answered(client, answer);
    }

    private static Object answered(Client client, byte[][] answer) {
        Object[] attached = new Object[answer.length - 1];
        System.arraycopy(answer, 1, attached, 0, attached.length);
        Reader reader = new Reader(client, answer[0], answer[0].length, attached);
        reader.unsigned();
        reader.id();
        boolean hasReturned = reader.unsigned() == 1;
        Object value = reader.value();
        if (hasReturned) return value;
        throw Described.thrown(value);
    }
}
