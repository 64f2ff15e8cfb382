/**
 * Where `@typed()` of `fulmar/types` leaves, on a class, schemas of the parameters of its methods: written by `typed`, read
 * by `controllers`, which do not know each other.
 */
export const TYPED_PARAMETERS = 'fulmar:typed-parameters';
