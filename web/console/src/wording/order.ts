const natural = new Intl.Collator('en', { numeric: true });

/** Orders names and ids as people do: n9 before n10. */
export const compareNames = (a: string, b: string) => natural.compare(a, b);
