/** `/api/v1/feed`: server-sent events for everyone who has signed in. */
import { Controller, Get, Headers, type MessageEvent, Sse } from 'fulmar/controllers';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiProduces, ApiProperty, ApiTags } from 'fulmar/controllers/openapi';
import type { Observable } from 'rxjs';
import { Roles } from '../common/access.ts';
import { FeedService } from './feed.service.ts';

class Listeners {
  @ApiProperty({ type: 'integer' })
  listeners: number;
}

@ApiTags('feed')
@ApiBearerAuth()
@Controller({ path: 'feed', version: '1' })
export class FeedController {
  constructor(private readonly feed: FeedService) {}

  @Sse()
  @ApiOperation({ summary: 'What happens, from now on or from `Last-Event-ID` on' })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ type: String })
  follow(@Headers('last-event-id') after?: string): Observable<MessageEvent> {
    return this.feed.listen(after);
  }

  @Get('listeners')
  @Roles(['admin'])
  @ApiOperation({ summary: 'How many follow it' })
  @ApiOkResponse({ type: Listeners })
  count(): Listeners {
    return { listeners: this.feed.listeners };
  }
}
