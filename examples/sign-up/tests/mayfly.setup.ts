/** The application is started before this, so the port that it mails to is chosen here. `mayfly-client/global-setup` takes a free one. */
import { startForAllWorkers } from 'mayfly-client/testing'

export default () => startForAllWorkers({ env: { SMTP_PORT: '2525' } })
