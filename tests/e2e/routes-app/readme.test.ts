import { testReadme } from '../support/readme.ts';
import { folder } from './forms.ts';

testReadme('routes-app', folder);
