import type { QueryClient, QueryKey } from '@tanstack/react-query';

const soonest = 1000;
const rest = 4; // times as long as the refresh took

/**
 * Refresher makes queries read anew after events have changed their answers: at once if they were quiet, never more than
 * once a second, and at most a fifth of the time, however long an answer takes and however many events come.
 */
export class Refresher {
  private readonly keys = new Map<string, { key: QueryKey; wanted: boolean }>();

  constructor(private readonly client: QueryClient) {}

  want(key: QueryKey) {
    const name = JSON.stringify(key);
    const known = this.keys.get(name);
    if (known) {
      known.wanted = true;
      return;
    }
    this.keys.set(name, { key, wanted: false });
    void this.refresh(name, key);
  }

  private async refresh(name: string, key: QueryKey) {
    const begin = performance.now();
    await this.client.invalidateQueries({ queryKey: key }, { cancelRefetch: false });
    const wait = Math.max(soonest, rest * (performance.now() - begin));
    setTimeout(() => {
      const again = this.keys.get(name)?.wanted;
      this.keys.delete(name);
      if (again) this.want(key);
    }, wait);
  }
}
