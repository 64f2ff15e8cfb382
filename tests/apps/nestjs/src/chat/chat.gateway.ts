import { Injectable, UseFilters, UseGuards, UseInterceptors, UsePipes, ValidationPipe, Catch } from '@nestjs/common';
import type { ArgumentsHost, CallHandler, CanActivate, ExecutionContext, NestInterceptor } from '@nestjs/common';
import {
  BaseWsExceptionFilter,
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  WebSocketServer,
  WsException,
} from '@nestjs/websockets';
import type { OnGatewayConnection, OnGatewayDisconnect, OnGatewayInit, WsResponse } from '@nestjs/websockets';
import { IsInt, IsString, Length, Max, Min } from 'class-validator';
import { interval, map, take } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Server, Socket } from 'socket.io';

class SayDto {
  @IsString()
  @Length(1, 20)
  room!: string;

  @IsString()
  words!: string;
}

class CountDto {
  @IsInt()
  @Min(0)
  @Max(10)
  from!: number;
}

@Injectable()
class WardenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { handshake } = context.switchToWs().getClient<Socket>();
    return handshake.auth['role'] === 'warden';
  }
}

@Injectable()
class StampInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ stamped: context.getHandler().name, data })));
  }
}

@Catch()
class TellingFilter extends BaseWsExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    const client = host.switchToWs().getClient<Socket>();
    const pattern = host.switchToWs().getPattern();
    const error = exception instanceof WsException ? exception.getError() : (exception as { response?: unknown }).response;
    client.emit('refused', { pattern, error: error ?? 'unknown' });
  }
}

@WebSocketGateway({ namespace: 'chat', cors: { origin: '*' } })
@UseFilters(TellingFilter)
@UsePipes(new ValidationPipe({ transform: true }))
export class ChatGateway implements OnGatewayInit, OnGatewayConnection, OnGatewayDisconnect {
  @WebSocketServer()
  readonly server!: Server;
  #members = 0;

  afterInit(): void {
    console.log('gateway ready');
  }

  handleConnection(client: Socket): void {
    if (client.handshake.auth['role'] === 'banned') {
      client.emit('goodbye', 'you are banned');
      client.disconnect(true);
      return;
    }
    this.#members += 1;
    client.emit('welcome', { members: this.#members, path: client.nsp.name });
  }

  handleDisconnect(client: Socket): void {
    if (client.handshake.auth['role'] !== 'banned') this.#members -= 1;
  }

  @SubscribeMessage('members')
  members(): number {
    return this.#members;
  }

  @SubscribeMessage('join')
  async join(@ConnectedSocket() client: Socket, @MessageBody('room') room: string): Promise<string[]> {
    await client.join(room);
    return [...client.rooms].filter((name) => name !== client.id);
  }

  @SubscribeMessage('say')
  say(@ConnectedSocket() client: Socket, @MessageBody() { room, words }: SayDto): WsResponse<string> {
    client.to(room).emit('said', words);
    return { event: 'sent', data: `${words.length} characters` };
  }

  @SubscribeMessage('countdown')
  countdown(@MessageBody() { from }: CountDto): Observable<WsResponse<number>> {
    return interval(1).pipe(
      take(from + 1),
      map((at) => ({ event: 'count', data: from - at })),
    );
  }

  @UseGuards(WardenGuard)
  @UseInterceptors(StampInterceptor)
  @SubscribeMessage('clear')
  clear(): { cleared: boolean } {
    return { cleared: true };
  }

  @SubscribeMessage('fail')
  fail(): never {
    throw new WsException({ code: 'TIDE', words: 'the tide turned' });
  }

  @SubscribeMessage('bytes')
  bytes(@MessageBody() bytes: Buffer): { length: number; first: number | null } {
    return { length: bytes.length, first: bytes[0] ?? null };
  }
}
