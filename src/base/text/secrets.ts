/** Texts that look like the keys of well-known services; each pattern is linear. */
export const tokenPatterns: readonly { kind: string; pattern: RegExp }[] = [
  {
    kind: 'private key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  {
    kind: 'GitHub or GitLab token',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})/g,
  },
  { kind: 'API key', pattern: /\b(?:sk|rk|pk)[-_](?:live|test|ant|proj|or|svcacct)?[-_]?[A-Za-z0-9_-]{20,}/g },
  { kind: 'Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'Google API key', pattern: /\bAIza[\w-]{30,}/g },
  { kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  // With ends: many beginnings of a token that has none would each look through all the rest.
  { kind: 'signed token (JWT)', pattern: /\beyJ[\w-]{8,4000}\.[\w-]{8,8000}\.[\w-]{5,4000}/g },
];
