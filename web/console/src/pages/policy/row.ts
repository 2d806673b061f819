import type { PolicyLine } from '../../api/policy';

/** Returns the policy whose name, without parameters, begins the given name; the longest if there are several. */
export function rowOf(name: string, policies: PolicyLine[]): PolicyLine | undefined {
  return policies
    .filter((policy) => name === policy.name || name.startsWith(policy.name + '/'))
    .sort((a, b) => b.name.length - a.name.length)[0];
}
