// A ticker calls a step once a frame while it runs. A hidden tab gets no frames,
// so it does no work; a step that is not done yet is waited for.

export class Ticker {
  running = false;
  private frame = 0;
  private busy = false;

  /** step may take as long as it likes; failed hears what it throws. */
  constructor(
    private readonly step: (now: number) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  start(): void {
    if (this.running) return;
    this.running = true;
    this.ask();
  }

  stop(): void {
    this.running = false;
    cancelAnimationFrame(this.frame);
  }

  private ask(): void {
    this.frame = requestAnimationFrame((now) => {
      if (this.running) this.ask();
      if (!this.busy && this.running && !document.hidden) void this.tick(now);
    });
  }

  private async tick(now: number): Promise<void> {
    this.busy = true;
    try {
      await this.step(now);
    } catch (error) {
      this.stop();
      this.failed(error);
    } finally {
      this.busy = false;
    }
  }
}
