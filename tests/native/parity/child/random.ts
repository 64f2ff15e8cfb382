/** Runs random programs on our side: the program of a seed when the parent asks for it. */
import type { Server } from 'node:http';
import type { Side } from '../../../parity/harness/case.ts';
import { listen } from '../../../parity/harness/run.ts';
import * as expressDrive from '../../../parity/express/random/drive.ts';
import { EXPRESS_4, EXPRESS_5, generateProgram as generateExpress } from '../../../parity/express/random/generate.ts';
import * as koaDrive from '../../../parity/koa/random/drive.ts';
import { generateProgram as generateKoa } from '../../../parity/koa/random/generate.ts';
import * as middlewareDrive from '../../../parity/middleware/drive.ts';
import { generateProgram as generateMiddleware } from '../../../parity/middleware/generate.ts';
import { answerQuestions } from '../../harness/answer.ts';
import { ourSide } from './sides.ts';

export interface Question {
  readonly kind: 'express' | 'express4' | 'koa' | 'middleware';
  readonly seed: number;
}

export async function serveSeeds(): Promise<void> {
  const servers = new Map<string, { readonly side: Side; readonly server: Server }>();
  const openFor = async (flavour: 'express' | 'express4'): Promise<{ readonly side: Side; readonly server: Server }> => {
    let opened = servers.get(flavour);
    if (opened === undefined) {
      const side = ourSide(flavour);
      opened = { side, server: side.http.createServer() };
      await listen(opened.server);
      servers.set(flavour, opened);
    }
    return opened;
  };
  answerQuestions(async (question) => {
    const { kind, seed } = question as Question;
    if (kind === 'middleware') {
      const program = generateMiddleware(seed);
      const { side, server } = await openFor(middlewareDrive.flavourOf(program.framework));
      return middlewareDrive.runProgram(program, side, server);
    }
    const { side, server } = await openFor(kind === 'express4' ? 'express4' : 'express');
    if (kind === 'koa') return koaDrive.runProgram(generateKoa(seed), side, server);
    return expressDrive.runProgram(generateExpress(seed, kind === 'express4' ? EXPRESS_4 : EXPRESS_5), side, server);
  });
}
