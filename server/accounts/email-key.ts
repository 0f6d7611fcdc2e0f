/** One person, one key: lower case, without a `+tag`, so that tags do not make an account each (case W27). */
export function emailKey(email: string): string {
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at).toLowerCase()
  const plus = local.indexOf('+', 1)
  return `${plus < 0 ? local : local.slice(0, plus)}@${email.slice(at + 1).toLowerCase()}`
}

/** Is the address at one of these domains, or below one? */
export function isAtOneOf(email: string, domains: readonly string[]): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domains.some(own => domain === own || domain.endsWith(`.${own}`))
}
