import {
  addMonths,
  differenceInCalendarDays,
  eachDayOfInterval,
  format,
  formatDistance,
  formatISO,
  intervalToDuration,
  isValid,
  parse,
  parseISO,
  startOfWeek,
} from 'date-fns';
import { de } from 'date-fns/locale/de';
import { answer, attempt } from './serve.js';
const day = new Date(2024, 0, 31, 13, 5, 9);
answer(() => [
  format(day, "yyyy-MM-dd'T'HH:mm:ss EEEE do 'of' MMMM, BBBB"),
  format(day, 'PPPP', { locale: de }),
  formatISO(addMonths(day, 1), { representation: 'date' }),
  formatDistance(day, addMonths(day, 14), { addSuffix: true }),
  eachDayOfInterval({
    start: day,
    end: addMonths(day, 1),
  }).length,
  differenceInCalendarDays(parseISO('2024-03-01'), parseISO('2024-02-01')),
  intervalToDuration({
    start: parseISO('2024-01-01T00:00:00'),
    end: parseISO('2025-03-04T05:06:07'),
  }),
  isValid(parse('31.02.2024', 'dd.MM.yyyy', day)),
  format(startOfWeek(day, { weekStartsOn: 1 }), 'yyyy-MM-dd'),
  attempt(() => format(new Date(Number.NaN), 'yyyy')),
]);
