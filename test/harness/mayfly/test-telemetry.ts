import { Telemetry } from '#server/platform/telemetry/telemetry.ts'

/** `heard`: called instead of the methods of these names. */
export function testTelemetry(heard: Partial<Telemetry> = {}): Telemetry {
  return Object.assign(new Telemetry([]), heard)
}
