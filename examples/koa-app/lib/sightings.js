/** Sightings of birds, in the memory of this process: list, read, add, remove; values are checked before they are kept. */
const TEXT_MAX = 200;
const COUNT_MAX = 10_000;

const first = [
  { species: 'Northern fulmar', place: 'Bempton Cliffs', count: 42 },
  { species: 'Arctic tern', place: 'Farne Islands', count: 310 },
  { species: 'Black-legged kittiwake', place: 'Vardø', count: 1200 },
];

/** What a person got wrong; Koa answers with its status and may show its message. */
class InvalidSighting extends Error {
  status = 422;
  expose = true;

  constructor(fields) {
    super('This sighting is not complete');
    this.fields = fields;
  }
}

export function createSightings() {
  const all = new Map();
  let last = 0;

  function add(values) {
    const sighting = { id: (last += 1), ...check(values) };
    all.set(sighting.id, sighting);
    return sighting;
  }
  for (const values of first) add(values);

  return {
    add,
    list: (species = '') => [...all.values()].filter((one) => one.species.toLowerCase().includes(species.toLowerCase())),
    find: (id) => all.get(Number(id)),
    remove: (id) => all.delete(Number(id)),
  };
}

function check({ species, place, count } = {}) {
  const fields = {};
  const number = Number(count);
  for (const [name, value] of Object.entries({ species, place })) {
    if (typeof value !== 'string' || value.trim() === '') fields[name] = 'is missing';
    else if (value.length > TEXT_MAX) fields[name] = `is longer than ${TEXT_MAX} characters`;
  }
  if (!Number.isInteger(number) || number < 1 || number > COUNT_MAX) fields.count = `is no number from 1 to ${COUNT_MAX}`;
  if (Object.keys(fields).length > 0) throw new InvalidSighting(fields);
  return { species: species.trim(), place: place.trim(), count: number };
}
