import { UseFilters, UsePipes, ValidationPipe } from '@nestjs/common';
import type { ArgumentsHost } from '@nestjs/common';
import { BaseWsExceptionFilter, MessageBody, SubscribeMessage, WebSocketGateway, WebSocketServer } from '@nestjs/websockets';
import type { OnGatewayConnection, WsResponse } from '@nestjs/websockets';
import type { IncomingMessage } from 'node:http';
import { from, map } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Server, WebSocket } from 'ws';
import { PlaceDto } from './tides.service';

class TellingFilter extends BaseWsExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const { response } = exception as { response?: unknown };
    host
      .switchToWs()
      .getClient<WebSocket>()
      .send(JSON.stringify({ event: 'refused', data: response ?? 'unknown' }));
  }
}

@WebSocketGateway({ path: '/live' })
@UseFilters(TellingFilter)
export class TideGateway implements OnGatewayConnection {
  @WebSocketServer()
  readonly server!: Server;

  handleConnection(client: WebSocket, request: IncomingMessage): void {
    client.send(JSON.stringify({ event: 'hello', data: request.url }));
  }

  @SubscribeMessage('count')
  count(@MessageBody() upTo: number): Observable<WsResponse<number>> {
    return from(Array.from({ length: upTo }, (_, at) => at)).pipe(map((data) => ({ event: 'count', data })));
  }

  @UsePipes(new ValidationPipe({ transform: true }))
  @SubscribeMessage('place')
  place(@MessageBody() place: PlaceDto): WsResponse<string> {
    return { event: 'place', data: `${place.name} at ${place.lat}, ${place instanceof PlaceDto}` };
  }

  @SubscribeMessage('everybody')
  everybody(@MessageBody() words: string): void {
    for (const client of this.server.clients) client.send(JSON.stringify({ event: 'said', data: words }));
  }
}
