// Package backup writes and reads a backup of a network's folder: one file with the
// journal, the recordings, the keys and the small files.
//
// # Form
//
// A backup is a tar file. Its members, in this order:
//
//	private/keys/NUMBER.age        keys of the sealed private parts
//	public/journal/FIRST.age       public parts, from entry FIRST on
//	private/journal/FIRST.age      sealed private parts of the same entries
//	private/recordings/NUMBER.age  a piece of a recording or a transcript
//	private/files/NUMBER.age       a piece of another file of the folder
//	public/checkpoint.age          the last signed checkpoint
//	manifest.json                  version, network, head, root, and the SHA-256 of each member
//	checksum                       SHA-256 of all bytes before this member
//
// Each member that ends in .age is encrypted with age, private ones to the
// recipients that the operator names, public ones also to a key of the folder, by
// which a server tries its own backups every day. The manifest is in the clear and
// holds no secret. A number or an entry has 20 digits. Every byte of the file is
// covered by the checksum, and the checksum by its form, which has one spelling.
//
// Within, a member of public parts is a line of JSON for each entry. One of sealed
// parts has for each entry a length as a varint, 0 for an entry without, and the
// part. One of keys has for each batch two varints, the number of its entries and
// the length of its keys plus one (0 where the folder holds none), and the keys in
// the form of package seal. A piece of a file is a line of JSON with its path, place
// and size, and the bytes.
//
// So tar and age alone are enough to read a backup:
//
//	tar xOf BACKUP public/journal/00000000000000000000.age | age -d -i IDENTITY
//
// Start with [Write] and [Open].
package backup
