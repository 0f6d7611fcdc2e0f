# Runs a mail server with its own files laid over the system's, in a namespace of its own (see mail-senders.ts): the paths that it was built
# with exist, and neither the configuration nor the queue of the system is read or written. It ends when standard input does, so also with
# the test.
set -eu
# A server that was tested in the same process before has left its umask behind.
umask 022
unpacked=$1 folder=$2
shift 2

mount -t tmpfs none /mnt
mkdir /mnt/upper /mnt/work /mnt/root
cp -a "$folder/etc" "$folder/var" /mnt/upper/
if [ -d "$unpacked/usr" ]; then cp -a "$unpacked/usr" /mnt/upper/; fi
chmod -R u=rwX,go=rX /mnt/upper/etc /mnt/upper/var
root=/mnt/root
mount -t overlay none -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work $root
mount --rbind /dev $root/dev
mount -t proc none $root/proc
for private in run tmp; do mount -t tmpfs none $root/$private; done
mount --bind "$folder/log" $root/var/log/sender
# Programs of registries lie in the project, which may lie in /tmp.
project=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$root$project"
mount --bind "$project" "$root$project"

id=900
for user in postfix postdrop Debian-exim opensmtpd opensmtpq smmta smmsp; do
  echo "$user:x:$id:$id::/:/usr/sbin/nologin" >> $root/etc/passwd
  echo "$user:x:$id:" >> $root/etc/group
  id=$((id + 1))
done
chroot $root sh -euc "$*" < /dev/null >> "$folder/log/output" 2>&1 &
# The end of the first process of a namespace ends all the others.
cat > /dev/null
