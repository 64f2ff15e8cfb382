import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnApplicationShutdown, OnModuleDestroy } from '@nestjs/common';

/** Tells on standard output what becomes of the application. */
@Injectable()
export class LifecycleService implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
  onApplicationBootstrap(): void {
    console.log('bootstrapped');
  }

  onModuleDestroy(): void {
    console.log('module destroyed');
  }

  beforeApplicationShutdown(signal?: string): void {
    console.log(`before shutdown by ${signal}`);
  }

  onApplicationShutdown(signal?: string): void {
    console.log(`shut down by ${signal}`);
  }
}
