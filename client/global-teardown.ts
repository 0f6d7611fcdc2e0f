/** For Jest, beside `globalSetup`. */
export { stopForAllWorkers as default } from './testing.ts'
