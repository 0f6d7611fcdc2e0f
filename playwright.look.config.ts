import base from './playwright.config.ts'
export default { ...base, testDir: 'e2e-look', globalSetup: undefined }
