/** Announcements of deprecated options for files, by each place that sends some. */
import depd from 'depd';

export type Announce = (option: string, message: string) => void;

/** Announces each option once: upstream does so per place that sends files, and it has few. */
export function createAnnouncer(): Announce {
  const announced = new Set<string>();
  return (option, message) => {
    if (announced.has(option)) return;
    announced.add(option);
    depd('send')(message);
  };
}
