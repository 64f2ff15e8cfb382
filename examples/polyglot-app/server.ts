/**
 * The entry: trains the model, then listens on PORT, else 3000. Without a model there is nothing to serve, and the start
 * fails. Ruby and Java begin with the first review. The end is the runner's: at SIGTERM it finishes what is being answered.
 */
import { createShop } from './app.ts';
import { sentiment } from './guests/index.ts';

const model = await sentiment();
console.log(`the model knows ${await model.known_words()} words and pairs of words`);
const server = await createShop().listen();
console.log(`listening on ${server.url}`);
