/** The notes: a list in memory, and the rules of what a note may be. Knows nothing of HTTP. */

const TITLE_LENGTH_MAX = 80;
const TEXT_LENGTH_MAX = 2000;
const TAGS_MAX = 5;
/** The example keeps notes in memory and is open to anyone who runs it: the oldest go first. */
const NOTES_MAX = 500;
const TAG = /^[a-z0-9-]{1,20}$/;

const SEED = [
  [
    'Northern fulmar',
    'Stiff-winged glide low over the swell, hardly a beat in a minute. Two pairs on the north ledge.',
    ['seabird', 'cliff'],
  ],
  ['Black guillemot', 'Bright red feet, seen well from the pier at low tide.', ['seabird', 'harbour']],
  ['Arctic tern', 'First of the year, fishing over the inlet. Late by a week.', ['seabird', 'migration']],
  ['Oystercatcher', 'Pair with three chicks on the shingle. Keep to the path until July.', ['wader', 'breeding']],
  ['Great skua', 'Chased a gannet the whole way round the stack and won.', ['seabird']],
  ['Turnstone', 'Flock of twenty working along the wrack line.', ['wader', 'harbour']],
  ['Manx shearwater', 'A long line of them an hour before dusk, heading west.', ['seabird', 'migration']],
];

/** Thrown for a note that breaks the rules: `fields` maps each bad field to what is wrong with it. */
export class InvalidNote extends Error {
  status = 422;
  expose = true;
  constructor(fields) {
    super('The note is not valid');
    this.fields = fields;
  }
}

/** Returns a clean note, or throws `InvalidNote`. With `isPartial`, absent fields stay absent. */
export function validateNote(input, isPartial = false) {
  const source = input !== null && typeof input === 'object' ? input : {};
  const fields = {};
  const note = {};
  if (!isPartial || source.title !== undefined) note.title = text(source.title, 'title', TITLE_LENGTH_MAX, fields);
  if (!isPartial || source.text !== undefined) note.text = text(source.text, 'text', TEXT_LENGTH_MAX, fields);
  if (!isPartial || source.tags !== undefined) note.tags = tags(source.tags, fields);
  if (Object.keys(fields).length > 0) throw new InvalidNote(fields);
  return note;
}

function text(value, name, max, fields) {
  if (typeof value !== 'string' || value.trim() === '') fields[name] = 'is required';
  else if (value.trim().length > max) fields[name] = `has at most ${max} characters`;
  else return value.trim();
}

function tags(value, fields) {
  const list = typeof value === 'string' ? value.split(',') : (value ?? []);
  if (!Array.isArray(list)) {
    fields.tags = 'is a list of words';
    return undefined;
  }
  const clean = [...new Set(list.map((tag) => String(tag).trim().toLowerCase()).filter(Boolean))];
  if (clean.length > TAGS_MAX) fields.tags = `has at most ${TAGS_MAX} words`;
  else if (!clean.every((tag) => TAG.test(tag))) fields.tags = 'is made of letters, digits and hyphens, 20 at most each';
  return clean;
}

export function createNotes() {
  let nextId = 1;
  let notes = [];
  const store = {
    /** Newest first. `total` counts what matches, before the page is cut. */
    list({ query = '', tag, page = 1, limit = 20 } = {}) {
      const needle = query.toLowerCase();
      const found = notes.filter(
        (note) => (tag === undefined || note.tags.includes(tag)) && `${note.title} ${note.text}`.toLowerCase().includes(needle),
      );
      return { items: found.slice((page - 1) * limit, page * limit), total: found.length };
    },
    find: (id) => notes.find((note) => note.id === id),
    add(input, author, createdAt = new Date().toISOString()) {
      const note = { id: nextId++, ...validateNote(input), author, createdAt };
      notes = [note, ...notes].slice(0, NOTES_MAX);
      return note;
    },
    change(id, input, isPartial) {
      const note = store.find(id);
      return note && Object.assign(note, validateNote(input, isPartial));
    },
    remove(id) {
      const before = notes.length;
      notes = notes.filter((note) => note.id !== id);
      return notes.length < before;
    },
    tags: () => [...new Set(notes.flatMap((note) => note.tags))].sort(),
  };
  for (const [index, [title, body, words]] of SEED.entries()) {
    store.add({ title, text: body, tags: words }, 'ada', new Date(Date.UTC(2026, 4, index + 1, 6, 30)).toISOString());
  }
  return store;
}
