/** What the server replaces in the files of a build, which does not know where it will be deployed. */

/** The public URL, which scripts/build/prerender.ts writes. */
export const ORIGIN_PLACEHOLDER = 'https://mayfly.invalid'
/** Where pages find the configuration without a request for `GET /api/config`. */
export const CONFIG_PLACEHOLDER = ' data-config=""'
/** The name in texts, pages and manifest until a deployment sets its own. */
export const SITE_NAME = 'Mayfly'
/** The operator's notice follows it. */
export const BODY = '<body>'
