/** `node:string_decoder` */
import { StringDecoder } from './decoder.ts';

export default { StringDecoder };
