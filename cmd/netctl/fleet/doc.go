// Package fleet runs netctl as processes for tests: a server on a folder, commands, small
// disks. Its own tests run several servers of one network and kill, pause, cut and damage
// them under load.
//
// A process is found as netctl in PATH. A package whose tests are not those of netctl
// itself calls [Main] in its TestMain, which builds the program.
package fleet
