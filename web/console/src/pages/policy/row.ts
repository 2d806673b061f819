import type { PolicyLine } from '../../api/policy';

/** The policy without parameters that a name begins with: the longest. */
export function rowOf(name: string, policies: PolicyLine[]): PolicyLine | undefined {
  return policies
    .filter((policy) => name === policy.name || name.startsWith(policy.name + '/'))
    .sort((a, b) => b.name.length - a.name.length)[0];
}
