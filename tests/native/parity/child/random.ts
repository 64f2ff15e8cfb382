/** Runs random programs on our side: the program of a seed when the parent asks for it. */
import type { Place } from '../../../parity/harness/random/play.ts';
import { listen } from '../../../parity/harness/run.ts';
import type { Flavour } from '../../../parity/harness/sides.ts';
import { answerQuestions } from '../../harness/answer.ts';
import { programOf, type Question } from '../random-programs.ts';
import { ourSide } from './sides.ts';

export async function serveSeeds(): Promise<void> {
  const places = new Map<Flavour, Place>();
  const placeOf = async (flavour: Flavour): Promise<Place> => {
    let opened = places.get(flavour);
    if (opened === undefined) {
      const side = ourSide(flavour);
      opened = { side, server: side.http.createServer() };
      await listen(opened.server);
      places.set(flavour, opened);
    }
    return opened;
  };
  answerQuestions(async (question) => {
    const program = programOf(question as Question);
    return await program.run(await placeOf(program.flavour));
  });
}
