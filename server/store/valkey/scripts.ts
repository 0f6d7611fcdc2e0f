/**
 * The steps of the mail store, each one script on one hash.
 *
 * A mailbox is the hash `{mailboxId}`. Its fields:
 *   e expiresAt · r the record · c createdAt · n messages · b bytes of raw mail · s the last cursor · l the list of messages ·
 *   d the list of removed messages · g how many these are
 *   m<messageId> head and sealed summary · v<messageId> sealed authentication result · x<messageId> the sealed message, unless in
 *   pieces · k<messageId> its link in one of the two lists
 * A destroyed mailbox is replaced until its expiry by a string, its expiresAt.
 *
 * The first argument of most is the time: milliseconds since the epoch, or what `StoreClock` writes after the clock was set back.
 *
 * A list is in the order of cursors. No change of a mailbox costs more the fuller it is. A list has 44 bytes: the messageIds of its oldest
 * and newest link, or 22 dots each. A link has 53: 'L'ive or 'R'emoved, cursor (4), arrival cursor (4), the messageIds of the links before
 * and after it. The head of a message has 22: receivedAt (8), bytes of raw mail (4), pieces (2), the name of their upload (8).
 */
import { REMOVALS_LISTED } from '../store.ts'
import { defineScript, type ScriptFlags } from './client/node-connection.ts'
import { CLOCKS_DIFFER_MS } from './measurement.ts'

const PRELUDE = `
local key, now = KEYS[1], tonumber(ARGV[1])
local setBackTo, latest
if not now then
  local times = cjson.decode(ARGV[1])
  now, setBackTo, latest = times[1], times[2], times[3]
end

-- What has expired stays gone, even if the clock goes back later: a mailbox that is older than the new time, or was created in its future.
local function isExpired(expiresAt, createdAt)
  if expiresAt <= now then return true end
  if not setBackTo or expiresAt > latest then return false end
  return createdAt < setBackTo or createdAt > now + ${CLOCKS_DIFFER_MS}
end

local function open(...)
  local fields = redis.pcall('HMGET', key, 'e', 'c', 'n', 'b', 's', ...)
  if fields.err or not fields[1] then return nil end
  -- The engine removes it: one process whose clock is wrong must end no mailbox of the others.
  if isExpired(tonumber(fields[1]), tonumber(fields[2])) then return nil end
  return {
    expiresAt = fields[1], createdAt = tonumber(fields[2]), count = tonumber(fields[3]), bytes = tonumber(fields[4]),
    cursor = tonumber(fields[5]), fields[6], fields[7], fields[8], fields[9],
  }
end

-- A later mailbox of the same name has another key.
local function isSealedFor(mailbox, createdAt)
  return mailbox.createdAt == tonumber(createdAt)
end

-- Above every earlier cursor, even those that were lost with a failed master, so that no two changes share one. Never behind the milliseconds
-- since the mailbox was created, so it tells when an earlier message may have come.
local function nextCursor(mailbox)
  return math.max(mailbox.cursor + 1, now - mailbox.createdAt + 1)
end

-- The head with a later time than every message before it.
local function arriving(mailbox, head, cursor)
  if struct.unpack('>d', head) - mailbox.createdAt >= mailbox.cursor then return head end
  return struct.pack('>d', mailbox.createdAt + cursor - 1) .. string.sub(head, 9)
end

-- Also by a mailbox that was destroyed. Removes what has expired, and only that: after any write that frees memory, the engine would allow
-- another one although memory is full.
local function isTaken()
  local kept = redis.pcall('HMGET', key, 'e', 'c')
  if kept.err then kept = { redis.call('GET', key), now } end
  if not kept[1] then return false end
  if not isExpired(tonumber(kept[1]), tonumber(kept[2])) then return true end
  redis.call('UNLINK', key)
  return false
end

local function streams()
  local heard = redis.pcall('PUBSUB', 'SHARDNUMSUB', key)
  -- If the user may not ask for subscribers, there may be some.
  return heard.err and 1 or heard[2]
end

-- What a write replies. Who watches is told once replicas have it: a failing master may lose it until then, and the sender repeats it.
local function written(result)
  return { streams(), result }
end
`

const LISTS = `
local NONE = '......................'
-- The links that a step has read or made, by messageId. \`save\` writes them all.
local links = {}

local function toLink(field)
  local kind, cursor, arrival, older, newer = struct.unpack('>c1I4I4c22c22', field)
  return { kind = kind, cursor = cursor, arrival = arrival, older = older, newer = newer }
end

local function linkOf(id)
  if not links[id] then links[id] = toLink(redis.call('HGET', key, 'k' .. id)) end
  return links[id]
end

local function toList(field)
  return { oldest = string.sub(field, 1, 22), newest = string.sub(field, 23) }
end

local function append(list, id, kind, cursor, arrival)
  links[id] = { kind = kind, cursor = cursor, arrival = arrival, older = list.newest, newer = NONE }
  if list.newest == NONE then list.oldest = id else linkOf(list.newest).newer = id end
  list.newest = id
end

local function unlink(list, id)
  local link = linkOf(id)
  if link.older == NONE then list.oldest = link.newer else linkOf(link.older).newer = link.newer end
  if link.newer == NONE then list.newest = link.older else linkOf(link.newer).older = link.older end
  links[id] = nil
end

local function save(...)
  local fields = { ... }
  for id, link in pairs(links) do
    table.insert(fields, 'k' .. id)
    table.insert(fields, struct.pack('>c1I4I4c22c22', link.kind, link.cursor, link.arrival, link.older, link.newer))
  end
  redis.call('HSET', key, unpack(fields))
end
`

const UPLOADS = `
-- Names one delivery and its pieces. The same in every attempt of it.
local function uploadOf(head)
  return string.sub(head, 15, 22)
end

-- Runs a command on each of the pieces that a message is stored in. While the slot moves, some may be at the other node: false.
local function onPieces(head, command, ...)
  local name = string.gsub(uploadOf(head), '.', function(byte) return string.format('%02x', string.byte(byte)) end)
  local areHere = true
  for i = 0, struct.unpack('>I2', head, 13) - 1 do
    if type(redis.pcall(command, key .. name .. ':' .. i, ...)) == 'table' then areHere = false end
  end
  return areHere
end
`

const script = (flags: ScriptFlags) => (body: string) => defineScript(flags)(PRELUDE + body)
const listScript = (flags: ScriptFlags) => (body: string) => defineScript(flags)(PRELUDE + LISTS + UPLOADS + body)

/** now, expiresAt, createdAt, time of removal by the engine's clock, record → 1 when created */
export const CREATE = listScript({ isRepeatable: false, isReplicated: true, mustBeKept: true })(`
if isTaken() then return 0 end
redis.call('HSET', key, 'e', ARGV[2], 'c', ARGV[3], 'r', ARGV[5], 'n', 0, 'b', 0, 's', 0,
  'l', NONE .. NONE, 'd', NONE .. NONE, 'g', 0)
redis.call('PEXPIREAT', key, ARGV[4])
return 1
`)

/**
 * now, createdAt, expiresAt, time of removal by the engine's clock, record
 * → the heads of messages with pieces left at another node, or nothing when there is no such mailbox
 */
export const EXTEND = listScript({ isRepeatable: true, isReplicated: true, mustBeKept: true })(`
local mailbox = open('l')
if not mailbox or mailbox.createdAt ~= tonumber(ARGV[2]) then return { 0, false } end
redis.call('HSET', key, 'e', ARGV[3], 'r', ARGV[5])
redis.call('PEXPIREAT', key, ARGV[4])
local heads, id = {}, toList(mailbox[1]).oldest
while id ~= NONE do
  local fields = redis.call('HMGET', key, 'm' .. id, 'k' .. id)
  if not onPieces(fields[1], 'PEXPIREAT', ARGV[4]) then table.insert(heads, string.sub(fields[1], 1, 22)) end
  id = toLink(fields[2]).newer
end
return written(heads)
`)

/** now → [expiresAt, record, messages, bytes, cursor, streams that watch it] or nothing */
export const FIND = script({ isRepeatable: true, isReplicated: false, isRead: true })(`
local mailbox = open('r')
if not mailbox then return false end
return { mailbox.expiresAt, mailbox[1], mailbox.count, mailbox.bytes, mailbox.cursor, streams() }
`)

/**
 * now, messageId, quota of messages, quota of bytes, bytes, createdAt of the mailbox, head and summary, the message unless its pieces
 * are further keys
 * → [streams that watch the mailbox, the cursor or why it was not stored]; so every write, with its own reply
 */
export const DELIVER = listScript({ isRepeatable: true, isReplicated: true, mustBeKept: true })(`
-- Pieces that stay, because this user may not remove them, expire with their mailbox.
local function refused(why)
  for i = 2, #KEYS do redis.pcall('UNLINK', KEYS[i]) end
  return { 0, why }
end
local id, bytes = ARGV[2], tonumber(ARGV[5])
local mailbox = open('m' .. id, 'l', 'k' .. id)
if not mailbox or not isSealedFor(mailbox, ARGV[6]) then return refused('mailbox_not_found') end
if mailbox[1] then
  -- The same value is written again: WAIT counts only writes of its own connection, and the first attempt may not have reached a replica.
  redis.call('HSET', key, 's', mailbox.cursor)
  -- What an earlier attempt stored is no duplicate, and has its pieces.
  if uploadOf(mailbox[1]) == uploadOf(ARGV[7]) then return written(linkOf(id).arrival) end
  return written(refused('duplicate')[2])
end
if mailbox.count >= tonumber(ARGV[3]) or mailbox.bytes + bytes > tonumber(ARGV[4]) then return refused('mailbox_full') end
-- The mailbox may have been extended since its pieces were written.
local goneAt = redis.call('PEXPIRETIME', key)
for i = 2, #KEYS do
  if redis.call('PEXPIREAT', KEYS[i], goneAt) == 0 then return refused('pieces_lost') end
end
local cursor, list = nextCursor(mailbox), toList(mailbox[2])
if mailbox[3] then
  -- It was removed, and comes again.
  local removals = redis.call('HMGET', key, 'd', 'g')
  local removed = toList(removals[1])
  unlink(removed, id)
  redis.call('HSET', key, 'd', removed.oldest .. removed.newest, 'g', removals[2] - 1)
end
append(list, id, 'L', cursor, cursor)
local inline = #KEYS == 1 and { 'x' .. id, ARGV[8] } or {}
save('n', mailbox.count + 1, 'b', mailbox.bytes + bytes, 's', cursor, 'l', list.oldest .. list.newest,
  'm' .. id, arriving(mailbox, ARGV[7], cursor), unpack(inline))
return written(cursor)
`)

/**
 * now, messageId, quota of messages, quota of bytes, bytes, createdAt of the mailbox
 * → why it would not be stored, or when the engine removes the mailbox, with the streams to tell
 */
export const WOULD_REFUSE = script({ isRepeatable: true, isReplicated: true, mustBeKept: true })(`
local mailbox = open('m' .. ARGV[2])
if not mailbox or not isSealedFor(mailbox, ARGV[6]) then return { 0, 'mailbox_not_found' } end
if mailbox[1] then
  redis.call('HSET', key, 's', mailbox.cursor)
  return written('duplicate')
end
if mailbox.count >= tonumber(ARGV[3]) or mailbox.bytes + tonumber(ARGV[5]) > tonumber(ARGV[4]) then return { 0, 'mailbox_full' } end
return { 0, redis.call('PEXPIRETIME', key) }
`)

/** now, cursor, limit → [messageId, link, head and summary, authentication result, …] or nothing */
export const CHANGES = listScript({ isRepeatable: true, isReplicated: false, isRead: true })(`
local after, limit = tonumber(ARGV[2]), tonumber(ARGV[3])
local mailbox = open('l', 'd')
if not mailbox then return false end
local newest = math.max(mailbox.cursor, now - mailbox.createdAt + ${CLOCKS_DIFFER_MS})
if after > newest then after = 0 end
local found = {}
if after == 0 then
  local id = toList(mailbox[1]).oldest
  while id ~= NONE and #found < limit do
    table.insert(found, id)
    id = linkOf(id).newer
  end
else
  for i = 1, 2 do
    local id = toList(mailbox[i]).newest
    while id ~= NONE and linkOf(id).cursor > after do
      table.insert(found, id)
      id = linkOf(id).older
    end
  end
  table.sort(found, function(a, b) return links[a].cursor < links[b].cursor end)
end
local changes = {}
for i = 1, math.min(#found, limit) do
  local id = found[i]
  local fields = redis.call('HMGET', key, 'k' .. id, 'm' .. id, 'v' .. id)
  table.insert(changes, id)
  for field = 1, 3 do table.insert(changes, fields[field] or '') end
end
return changes
`)

/** now, messageId → [link, head and summary, authentication result, the message or ''] or nothing */
export const READ = script({ isRepeatable: true, isReplicated: false, isRead: true })(`
local id = ARGV[2]
local mailbox = open('k' .. id, 'm' .. id, 'v' .. id, 'x' .. id)
if not mailbox or not mailbox[2] then return false end
return { mailbox[1], mailbox[2], mailbox[3] or '', mailbox[4] or '' }
`)

/** now, messageId → the head if pieces are left at another node, else ''; or nothing */
export const DELETE_MESSAGE = listScript({ isRepeatable: false, isReplicated: true })(`
local id = ARGV[2]
local mailbox = open('m' .. id, 'l', 'd', 'g')
if not mailbox or not mailbox[1] then return { 0, false } end
local cursor, list, removed, removals = nextCursor(mailbox), toList(mailbox[2]), toList(mailbox[3]), mailbox[4] + 1
unlink(list, id)
append(removed, id, 'R', cursor, cursor)
-- Memory is freed first: after that, the engine lets a script write even if memory is full.
redis.call('HDEL', key, 'm' .. id, 'v' .. id, 'x' .. id)
if removals > ${REMOVALS_LISTED} then
  local oldest = removed.oldest
  unlink(removed, oldest)
  redis.call('HDEL', key, 'k' .. oldest)
  removals = removals - 1
end
save('n', mailbox.count - 1, 'b', mailbox.bytes - struct.unpack('>I4', mailbox[1], 9), 's', cursor,
  'l', list.oldest .. list.newest, 'd', removed.oldest .. removed.newest, 'g', removals)
return written(onPieces(mailbox[1], 'UNLINK') and '' or string.sub(mailbox[1], 1, 22))
`)

/** now, messageId, authentication result, createdAt of the mailbox → 1 when the message is there */
export const ADD_AUTHENTICATION = listScript({ isRepeatable: true, isReplicated: true })(`
local id = ARGV[2]
local mailbox = open('m' .. id, 'l')
if not mailbox or not mailbox[1] or not isSealedFor(mailbox, ARGV[4]) then return { 0, 0 } end
local cursor, list, arrival = nextCursor(mailbox), toList(mailbox[2]), linkOf(id).arrival
unlink(list, id)
append(list, id, 'L', cursor, arrival)
save('v' .. id, ARGV[3], 's', cursor, 'l', list.oldest .. list.newest)
return written(1)
`)

/**
 * now, and until when the id is taken if there is no mailbox, with the time of removal by the engine's clock
 * → the heads of messages with pieces left at another node, or nothing when there was no mailbox
 */
export const DESTROY = listScript({ isRepeatable: false, isReplicated: true })(`
local mailbox = open('l')
if not mailbox then
  if not ARGV[2] or isTaken() then return { 0, false } end
  redis.call('SET', key, ARGV[2], 'PXAT', ARGV[3])
  return written(false)
end
local heads, id = {}, toList(mailbox[1]).oldest
while id ~= NONE do
  local fields = redis.call('HMGET', key, 'm' .. id, 'k' .. id)
  if not onPieces(fields[1], 'UNLINK') then table.insert(heads, string.sub(fields[1], 1, 22)) end
  id = toLink(fields[2]).newer
end
local goneAt = redis.call('PEXPIRETIME', key)
redis.call('UNLINK', key)
redis.call('SET', key, mailbox.expiresAt, 'PXAT', goneAt)
return written(heads)
`)

/** now, messageId, head; the pieces are the further keys. Unlinks them, unless a delivery that seemed to fail made them that message. */
export const DISCARD = listScript({ isRepeatable: true, isReplicated: false })(`
local stored = redis.pcall('HGET', key, 'm' .. ARGV[2])
if type(stored) == 'string' and uploadOf(stored) == uploadOf(ARGV[3]) then return end
for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
`)

/** Ties the cluster to one secret. now, key check, a new store id, format → [key check, store id, format] as they are from now on */
export const IDENTIFY = script({ isRepeatable: true, isReplicated: true })(`
local names = { 'key_check', 'store_id', 'format' }
local kept = redis.call('HMGET', key, unpack(names))
for i, name in ipairs(names) do
  if not kept[i] then
    kept[i] = ARGV[i + 1]
    redis.call('HSET', key, name, kept[i])
  end
end
return kept
`)

/** progress, or '' when there are changes → published to subscribers. Either may reach them twice. */
export const PUBLISH = defineScript({ isRepeatable: true, isReplicated: false })("return redis.call('SPUBLISH', KEYS[1], ARGV[1])")
