/**
 * The steps of the mail store, each one script on one hash.
 *
 * A mailbox is the hash `{mailboxId}`. Its fields:
 *   e expiresAt · r the record · c createdAt · n messages · b bytes of raw mail · s the last cursor · i the index of changes
 *   m<messageId> head and sealed summary · v<messageId> sealed authentication result · x<messageId> the sealed message, unless in pieces
 * A destroyed mailbox is replaced until its expiry by a string, its expiresAt.
 *
 * The first argument of most is the time: milliseconds since the epoch, or what `StoreClock` writes after the clock was set back.
 *
 * The index has 31 bytes for each message or removal, oldest change first: messageId (22), 'L'ive or 'R'emoved, cursor (4), arrival cursor
 * (4). The head of a message has 22 bytes: receivedAt (8), bytes of raw mail (4), pieces (2), the name of their upload (8).
 */

import { REMOVALS_LISTED } from '../store.ts'
import { defineScript } from './client/node-connection.ts'

/** How far the clocks of processes may differ. */
const CLOCKS_DIFFER_MS = 5000

const PRELUDE = `
local key, now = KEYS[1], tonumber(ARGV[1])
local ENTRY = 31
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
  local fields = redis.pcall('HMGET', key, 'e', 'r', 'c', 'n', 'b', 's', 'i', ...)
  if fields.err or not fields[1] then return nil end
  if isExpired(tonumber(fields[1]), tonumber(fields[3])) then
    redis.call('UNLINK', key)
    return nil
  end
  return {
    expiresAt = fields[1], record = fields[2], createdAt = tonumber(fields[3]), count = tonumber(fields[4]), bytes = tonumber(fields[5]),
    cursor = tonumber(fields[6]), index = fields[7], fields[8], fields[9], fields[10],
  }
end

-- A later mailbox of the same name has another key.
local function isSealedFor(mailbox, expiresAt)
  return expiresAt == '' or tonumber(mailbox.expiresAt) == tonumber(expiresAt)
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

local function entry(id, kind, cursor, arrival)
  return id .. kind .. struct.pack('>I4I4', cursor, arrival)
end

local function find(index, id)
  local from = 1
  while true do
    local at = string.find(index, id, from, true)
    if not at then return nil end
    if (at - 1) % ENTRY == 0 then return at, string.sub(index, at + 22, at + 22) end
    from = at + 1
  end
end

local function without(index, at)
  return string.sub(index, 1, at - 1) .. string.sub(index, at + ENTRY)
end

local function notifyWatchers()
  redis.call('SPUBLISH', key, '')
end
`

const script = (body: string) => defineScript(PRELUDE + body)

/** now, expiresAt, createdAt, time of removal by the engine's clock, record → 1 when created */
export const CREATE = script(`
local kept = redis.pcall('HMGET', key, 'e', 'c')
if kept.err then kept = { redis.call('GET', key), now } end
local expiresAt = kept[1]
if expiresAt and not isExpired(tonumber(expiresAt), tonumber(kept[2])) then return 0 end
-- Only if there is something to remove: after any write that frees memory, the engine would allow this one although memory is full.
if expiresAt then redis.call('UNLINK', key) end
redis.call('HSET', key, 'e', ARGV[2], 'c', ARGV[3], 'r', ARGV[5], 'n', 0, 'b', 0, 's', 0, 'i', '')
redis.call('PEXPIREAT', key, ARGV[4])
return 1
`)

/** now → [expiresAt, record, messages, bytes, cursor, streams that watch it] or nothing */
export const FIND = script(`
local mailbox = open()
if not mailbox then return false end
local heard = redis.pcall('PUBSUB', 'SHARDNUMSUB', key)
-- If the user may not ask for subscribers, progress is published anyway.
return { mailbox.expiresAt, mailbox.record, mailbox.count, mailbox.bytes, mailbox.cursor, heard.err and 1 or heard[2] }
`)

/**
 * now, messageId, quota of messages, quota of bytes, bytes, expiresAt of the mailbox or '', head and summary, the message unless its pieces
 * are further keys
 * → the cursor, or why it was not stored
 */
export const DELIVER = script(`
local id, bytes = ARGV[2], tonumber(ARGV[5])
local mailbox = open('m' .. id)
if not mailbox or not isSealedFor(mailbox, ARGV[6]) then return 'mailbox_not_found' end
if mailbox[1] then
  -- The same value is written again: WAIT counts only writes of its own connection, and the first attempt may not have reached a replica.
  redis.call('HSET', key, 's', mailbox.cursor)
  return 'duplicate'
end
if mailbox.count >= tonumber(ARGV[3]) or mailbox.bytes + bytes > tonumber(ARGV[4]) then return 'mailbox_full' end
for i = 2, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 0 then return 'pieces_lost' end
end
local index = mailbox.index
local removed = find(index, id)
if removed then index = without(index, removed) end
local cursor = nextCursor(mailbox)
redis.call('HSET', key, 'n', mailbox.count + 1, 'b', mailbox.bytes + bytes, 's', cursor, 'm' .. id, arriving(mailbox, ARGV[7], cursor),
  'i', index .. entry(id, 'L', cursor, cursor))
if #KEYS == 1 then redis.call('HSET', key, 'x' .. id, ARGV[8]) end
notifyWatchers()
return cursor
`)

/**
 * now, messageId, quota of messages, quota of bytes, bytes, expiresAt of the mailbox or ''
 * → why it would not be stored, or when the engine removes the mailbox
 */
export const WOULD_REFUSE = script(`
local mailbox = open('m' .. ARGV[2])
if not mailbox or not isSealedFor(mailbox, ARGV[6]) then return 'mailbox_not_found' end
if mailbox[1] then
  redis.call('HSET', key, 's', mailbox.cursor)
  return 'duplicate'
end
if mailbox.count >= tonumber(ARGV[3]) or mailbox.bytes + tonumber(ARGV[5]) > tonumber(ARGV[4]) then return 'mailbox_full' end
return redis.call('PEXPIRETIME', key)
`)

/** now, cursor, limit → [index entry, head and summary, authentication result, …] or nothing */
export const CHANGES = script(`
local after, limit = tonumber(ARGV[2]), tonumber(ARGV[3])
local mailbox = open()
if not mailbox then return false end
local newest = math.max(mailbox.cursor, now - mailbox.createdAt + ${CLOCKS_DIFFER_MS})
if after > newest then after = 0 end
local index = mailbox.index
local first = #index + 1
while first > 1 and struct.unpack('>I4', index, first - ENTRY + 23) > after do first = first - ENTRY end
local changes = {}
for at = first, #index, ENTRY do
  if #changes >= limit * 3 then break end
  local one = string.sub(index, at, at + ENTRY - 1)
  local id, kind = string.sub(one, 1, 22), string.sub(one, 23, 23)
  if kind == 'L' then
    local fields = redis.call('HMGET', key, 'm' .. id, 'v' .. id)
    table.insert(changes, one)
    table.insert(changes, fields[1])
    table.insert(changes, fields[2] or '')
  elseif after > 0 then
    table.insert(changes, one)
    table.insert(changes, '')
    table.insert(changes, '')
  end
end
return changes
`)

/** now, messageId → [index entry, head and summary, authentication result, the message or ''] or nothing */
export const READ = script(`
local id = ARGV[2]
local mailbox = open('m' .. id, 'v' .. id, 'x' .. id)
if not mailbox or not mailbox[1] then return false end
local at = find(mailbox.index, id)
return { string.sub(mailbox.index, at, at + ENTRY - 1), mailbox[1], mailbox[2] or '', mailbox[3] or '' }
`)

/** now, messageId → the head, or nothing */
export const REMOVE = script(`
local id = ARGV[2]
local mailbox = open('m' .. id)
if not mailbox or not mailbox[1] then return false end
local cursor = nextCursor(mailbox)
local index = without(mailbox.index, (find(mailbox.index, id))) .. entry(id, 'R', cursor, cursor)
local removals = #index / ENTRY - (mailbox.count - 1)
if removals > ${REMOVALS_LISTED} then
  for at = 1, #index, ENTRY do
    if string.sub(index, at + 22, at + 22) == 'R' then
      index = without(index, at)
      break
    end
  end
end
local bytes = struct.unpack('>I4', mailbox[1], 9)
-- Memory is freed first: after that, the engine lets a script write even if memory is full.
redis.call('HDEL', key, 'm' .. id, 'v' .. id, 'x' .. id)
redis.call('HSET', key, 'n', mailbox.count - 1, 'b', mailbox.bytes - bytes, 's', cursor, 'i', index)
notifyWatchers()
return string.sub(mailbox[1], 1, 22)
`)

/** now, messageId, authentication result, expiresAt of the mailbox or '' → 1 when the message is there */
export const ADD_AUTHENTICATION = script(`
local id = ARGV[2]
local mailbox = open('m' .. id)
if not mailbox or not mailbox[1] or not isSealedFor(mailbox, ARGV[4]) then return 0 end
local cursor = nextCursor(mailbox)
local at = find(mailbox.index, id)
local arrival = struct.unpack('>I4', mailbox.index, at + 27)
redis.call('HSET', key, 'v' .. id, ARGV[3], 's', cursor, 'i', without(mailbox.index, at) .. entry(id, 'L', cursor, arrival))
notifyWatchers()
return 1
`)

/** now → the heads of messages that are stored in pieces, or nothing when there was no mailbox */
export const DESTROY = script(`
local mailbox = open()
if not mailbox then return false end
local heads = {}
for at = 1, #mailbox.index, ENTRY do
  if string.sub(mailbox.index, at + 22, at + 22) == 'L' then
    local head = string.sub(redis.call('HGET', key, 'm' .. string.sub(mailbox.index, at, at + 21)), 1, 22)
    if struct.unpack('>I2', head, 13) > 0 then table.insert(heads, head) end
  end
end
local goneAt = redis.call('PEXPIRETIME', key)
redis.call('UNLINK', key)
redis.call('SET', key, mailbox.expiresAt, 'PXAT', goneAt)
notifyWatchers()
return heads
`)

/** Ties the cluster to one secret. now, key check, a new store id, format → [key check, store id, format] as they are from now on */
export const IDENTIFY = script(`
redis.call('HSETNX', key, 'key_check', ARGV[2])
redis.call('HSETNX', key, 'store_id', ARGV[3])
redis.call('HSETNX', key, 'format', ARGV[4])
return redis.call('HMGET', key, 'key_check', 'store_id', 'format')
`)

/** progress → published to subscribers */
export const PUBLISH_PROGRESS = defineScript("return redis.call('SPUBLISH', KEYS[1], ARGV[1])")
