/** Entry point of a mail thread. */
import { serveTasks } from '#server/platform/threads/serve.ts'
import { createMailTasks } from './mail-tasks.ts'

serveTasks(createMailTasks)
