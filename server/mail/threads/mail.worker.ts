/** Entry point of a mail thread. */
import { serveTasks } from '#server/threads/serve.ts'
import { createMailTasks } from './mail-tasks.ts'

serveTasks(createMailTasks)
