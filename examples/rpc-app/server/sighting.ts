/** What the server and the page speak of. The compiler reads these types: they are what parameters are checked by. */
import type { Int, MaxLength, Min, NonEmpty } from 'fulmar/types';

export interface NewSighting {
  bird: string & NonEmpty & MaxLength<80>;
  count: Int & Min<1>;
  seen: Date;
  /** The id of a photo that was uploaded before. */
  photo?: string;
}

export interface Sighting {
  id: Int;
  bird: string;
  count: Int;
  seen: Date;
  by: string;
  photo?: string;
  /** Who says that it is so. */
  confirmedBy: string[];
}

export interface SightingPage {
  items: Sighting[];
  /** Where the next page begins; null: there is none. */
  next: Int | null;
}
