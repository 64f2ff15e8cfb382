package fulmar.guest;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/** Texts where a type is wanted that has a written form, and dates where a type of time is wanted. */
final class Texts {
    private static final int ENUM = 5;
    private static final int CHARACTER = 20;
    private static final int PARSED = 30;
    private static final Map<Class<?>, Function<String, Object>> PARSERS = new HashMap<>();
    private static final Map<Class<?>, Function<Instant, Object>> TIMES = new HashMap<>();

    static {
        PARSERS.put(Path.class, Path::of);
        PARSERS.put(File.class, File::new);
        PARSERS.put(URI.class, URI::create);
        PARSERS.put(URL.class, Texts::url);
        PARSERS.put(UUID.class, UUID::fromString);
        PARSERS.put(Duration.class, Duration::parse);
        PARSERS.put(LocalDate.class, LocalDate::parse);
        PARSERS.put(LocalTime.class, LocalTime::parse);
        PARSERS.put(LocalDateTime.class, LocalDateTime::parse);
        PARSERS.put(ZoneId.class, ZoneId::of);
        PARSERS.put(Locale.class, Locale::forLanguageTag);
        TIMES.put(Date.class, Date::from);
        TIMES.put(LocalDate.class, time -> time.atZone(ZoneId.systemDefault()).toLocalDate());
        TIMES.put(LocalDateTime.class, time -> time.atZone(ZoneId.systemDefault()).toLocalDateTime());
        TIMES.put(ZonedDateTime.class, time -> time.atZone(ZoneId.systemDefault()));
        TIMES.put(OffsetDateTime.class, time -> time.atZone(ZoneId.systemDefault()).toOffsetDateTime());
        TIMES.put(Calendar.class, Texts::calendar);
    }

    private Texts() {}

    private static URL url(String text) {
        try {
            return new URL(text);
        } catch (MalformedURLException problem) {
            throw new IllegalArgumentException(problem);
        }
    }

    private static Calendar calendar(Instant time) {
        Calendar calendar = Calendar.getInstance();
        calendar.setTimeInMillis(time.toEpochMilli());
        return calendar;
    }

    static int cost(Object value, Class<?> raw) {
        if (value instanceof Instant) return TIMES.containsKey(raw) ? ENUM : Convert.NO;
        if (!(value instanceof String)) return Convert.NO;
        String text = (String) value;
        if (raw == char.class || raw == Character.class) return text.length() == 1 ? CHARACTER : Convert.NO;
        if (raw.isEnum()) return constant(raw, text) == null ? Convert.NO : ENUM;
        return PARSERS.containsKey(raw) ? PARSED : Convert.NO;
    }

    static Object to(Object value, Class<?> raw, String where) {
        if (value instanceof Instant) return TIMES.get(raw).apply((Instant) value);
        String text = (String) value;
        if (raw == char.class || raw == Character.class) return text.charAt(0);
        if (raw.isEnum()) return constant(raw, text);
        try {
            return PARSERS.get(raw).apply(text);
        } catch (RuntimeException problem) {
            throw new IllegalArgumentException(where + ": " + problem.getMessage(), problem);
        }
    }

    private static Object constant(Class<?> raw, String name) {
        for (Object constant : raw.getEnumConstants()) if (((Enum<?>) constant).name().equals(name)) return constant;
        return null;
    }
}
