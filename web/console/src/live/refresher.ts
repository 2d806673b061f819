import type { QueryClient, QueryKey } from '@tanstack/react-query';

const soonest = 1000;
const rest = 4; // multiple of the duration of the refresh

/**
 * Refresher reads queries anew after events have changed their answers. It does so at once if nothing was refreshed
 * lately, but never more than once a second, and for at most a fifth of the time, however slow the answers and however
 * frequent the events are.
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
