/** An application with files of Ruby, built: what they require of their folder comes along. */
import { describe, it } from 'node:test';
import { ruby } from '../../../packages/fulmar/src/polyglot/index.ts';
import { answersBuilt, appWith, forms, serverOf } from './built.ts';

const app = appWith({
  'ruby/text.rb': "require_relative 'parts/word'\n\ndef shout(text) = Word.loud(text)\n",
  'ruby/parts/word.rb': "require_relative('sign.rb')\n\nmodule Word\n  def self.loud(text) = text.upcase + SIGN\nend\n",
  'ruby/parts/sign.rb': "SIGN = '!'\n",
  'server.js': serverOf(
    `import { ruby } from 'fulmar/polyglot';
     import text from './ruby/text.rb';
     const same = await ruby.import('./ruby/text.rb');
     const apart = ruby.isolated();`,
    `app.get('/isolated/:word', async (c) => (await apart.import('./ruby/text.rb')).shout(c.params.word));
     app.get('/:word', async (c) => (await text.shout(c.params.word)) + (await same.shout('b')));`,
  ),
});

const { problem } = await ruby.look();

describe('an application with files of Ruby', { skip: problem ?? false }, () => {
  for (const [what, options] of forms)
    it(`is built into ${what}`, () => answersBuilt(app, options, { '/grüße': 'GRÜSSE!B!', '/isolated/a': 'A!' }));
});
